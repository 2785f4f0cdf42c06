# the peer is that of the tests
target_sources(${name} PRIVATE bench_support.cpp)
target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
set_property(TARGET ${name} PROPERTY LINK_LIBRARIES trilith_geom)  # nothing above is measured
find_library(TRILITH_MUJOCO_LIBRARY mujoco)
find_path(TRILITH_MUJOCO_HEADERS mujoco/mujoco.h)
if(TRILITH_MUJOCO_LIBRARY AND TRILITH_MUJOCO_HEADERS)
  target_link_libraries(${name} PRIVATE ${TRILITH_MUJOCO_LIBRARY})
  target_compile_definitions(${name} PRIVATE TRILITH_HAVE_MUJOCO)
endif()
