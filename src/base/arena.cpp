#include "base/arena.h"

#include <new>

namespace trilith {

Arena::Arena(std::size_t bytes) : capacity_(bytes_of<std::byte>(bytes)) {
  TRI_CHECK(capacity_ >= bytes);  // no wrap-around
  storage_.reset(static_cast<std::byte*>(::operator new(capacity_, std::align_val_t{alignment})));
}

void Arena::Free::operator()(std::byte* p) const noexcept { ::operator delete(p, std::align_val_t{alignment}); }

void Arena::fill(std::byte* at, std::size_t bytes) noexcept {
#ifdef NDEBUG
  constexpr int value = 0;
#else
  constexpr int value = 0xff;
#endif
  if (bytes > 0) std::memset(at, value, bytes);
}

}  // namespace trilith
