#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/assembly.h"

/// Assemblies of the benches, with their contacts.
namespace trilith::bench {

/// `want`: "stands", "falls", or empty where nobody knows.
struct BenchCase {
  std::string name, want;
  model::Assembly assembly;
  int free_blocks() const;
};

/// Running bond; gravity leans towards +x so that `sideways` of the weight pushes there.
model::AssemblyInput wall_input(int columns, int rows);
BenchCase wall_case(int columns, int rows, double sideways = 0);

/// Semicircular arch; `thickness_ratio`: thickness over mean radius.
BenchCase arch_case(int stones, double thickness_ratio);

/// One small assembly of every kind that the program generates, with their default numbers, as `stands` or `falls` as they may.
std::vector<BenchCase> generated_cases();

/// The reference cases with stored contacts that have at most `most_blocks` free blocks; empty where the shared data is absent.
std::vector<BenchCase> reference_cases(int most_blocks);
std::optional<BenchCase> reference_case(const std::string& name);

}  // namespace trilith::bench
