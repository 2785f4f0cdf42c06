target_sources(${name} PRIVATE bench_support.cpp contact_cases.cpp contact_peer.cpp)
target_compile_definitions(${name} PRIVATE TRILITH_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
set_property(TARGET ${name} PROPERTY LINK_LIBRARIES trilith_dynamics trilith_io)  # nothing above is measured
include(${CMAKE_CURRENT_LIST_DIR}/mujoco_peer.cmake)
