# MuJoCo (Debian's) as a peer of ${name}. Optional; the program prints a line where it is absent.
find_library(TRILITH_MUJOCO_LIBRARY mujoco)
find_path(TRILITH_MUJOCO_HEADERS mujoco/mujoco.h)
if(TRILITH_MUJOCO_LIBRARY AND TRILITH_MUJOCO_HEADERS)
  target_link_libraries(${name} PRIVATE ${TRILITH_MUJOCO_LIBRARY})
  target_compile_definitions(${name} PRIVATE TRILITH_HAVE_MUJOCO)
endif()
