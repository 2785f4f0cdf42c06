# the peer is that of the tests
target_sources(${name} PRIVATE bench_support.cpp)
target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
set_property(TARGET ${name} PROPERTY LINK_LIBRARIES trilith_geom)  # nothing above is measured
include(${CMAKE_CURRENT_LIST_DIR}/mujoco_peer.cmake)
