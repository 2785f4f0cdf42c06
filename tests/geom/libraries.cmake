# the reference contacts are JSON
find_package(nlohmann_json REQUIRED)
target_link_libraries(geom_test PRIVATE nlohmann_json::nlohmann_json)
# other colliders, as oracles
find_library(TRILITH_MUJOCO_LIBRARY mujoco)
find_path(TRILITH_MUJOCO_HEADERS mujoco/mujoco.h)
if(TRILITH_MUJOCO_LIBRARY AND TRILITH_MUJOCO_HEADERS)
  target_link_libraries(geom_test PRIVATE ${TRILITH_MUJOCO_LIBRARY})
  target_compile_definitions(geom_test PRIVATE TRILITH_HAVE_MUJOCO)
else()
  message(STATUS "MuJoCo is absent: no comparison of contacts (tools/dev test installs it)")
endif()
