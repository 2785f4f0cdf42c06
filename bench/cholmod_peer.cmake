# CHOLMOD as a peer of ${name}. Optional; the program prints a line where it is absent.
target_sources(${name} PRIVATE bench_support.cpp cholmod_peer.cpp)
find_library(TRILITH_CHOLMOD cholmod)
find_path(TRILITH_CHOLMOD_HEADER suitesparse/cholmod.h)
if(TRILITH_CHOLMOD AND TRILITH_CHOLMOD_HEADER)
  target_link_libraries(${name} PRIVATE ${TRILITH_CHOLMOD} ${CMAKE_DL_LIBS})
  target_compile_definitions(${name} PRIVATE TRILITH_HAVE_CHOLMOD)
endif()
