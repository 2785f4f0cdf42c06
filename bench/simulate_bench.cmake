target_sources(${name} PRIVATE bench_support.cpp)
target_compile_definitions(${name} PRIVATE TRILITH_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
include(${CMAKE_CURRENT_LIST_DIR}/mujoco_peer.cmake)
