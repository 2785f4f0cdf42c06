target_link_libraries(dynamics_test PRIVATE trilith_io) #the reference models are files
find_library(TRILITH_MUJOCO_LIBRARY mujoco)
find_path(TRILITH_MUJOCO_HEADERS mujoco/mujoco.h)
if(TRILITH_MUJOCO_LIBRARY AND TRILITH_MUJOCO_HEADERS)
  target_link_libraries(dynamics_test PRIVATE ${TRILITH_MUJOCO_LIBRARY})
  target_compile_definitions(dynamics_test PRIVATE TRILITH_HAVE_MUJOCO)
else()
  message(STATUS "MuJoCo is absent: no comparison of dynamics (tools/dev test installs it)")
endif()
