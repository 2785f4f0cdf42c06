# MuJoCo (Debian's) as a peer. Optional; the program prints a line where it is absent.
target_sources(${name} PRIVATE bench_support.cpp contact_cases.cpp contact_peer.cpp)
target_compile_definitions(${name} PRIVATE TRILITH_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
set_property(TARGET ${name} PROPERTY LINK_LIBRARIES trilith_dynamics trilith_io)  # nothing above is measured
find_library(TRILITH_MUJOCO_LIBRARY mujoco)
find_path(TRILITH_MUJOCO_HEADERS mujoco/mujoco.h)
if(TRILITH_MUJOCO_LIBRARY AND TRILITH_MUJOCO_HEADERS)
  target_link_libraries(${name} PRIVATE ${TRILITH_MUJOCO_LIBRARY})
  target_compile_definitions(${name} PRIVATE TRILITH_HAVE_MUJOCO)
endif()
