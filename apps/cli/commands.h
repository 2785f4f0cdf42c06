#pragma once
#include <span>

#include "cli/exit_code.h"

namespace trilith::cli {

// One function per subcommand, each in the file of its name. `words` are the words after the command's name.
Exit check(std::span<char*> words);
Exit verify(std::span<char*> words);
Exit margin(std::span<char*> words);
Exit qp(std::span<char*> words);
Exit order(std::span<char*> words);
Exit gate(std::span<char*> words);
Exit generate(std::span<char*> words);
Exit spherize(std::span<char*> words);
Exit inspect(std::span<char*> words);
Exit simulate(std::span<char*> words);
Exit plan(std::span<char*> words);
Exit replay(std::span<char*> words);

}  // namespace trilith::cli
