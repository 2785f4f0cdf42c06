# Peer of the closed-form bench: CHOLMOD. Optional; the program prints a line where it is absent.
set_property(TARGET ${name} PROPERTY LINK_LIBRARIES trilith_constraints trilith_solve)  # nothing above them is measured
find_library(TRILITH_CHOLMOD cholmod)
find_path(TRILITH_CHOLMOD_HEADER suitesparse/cholmod.h)
if(TRILITH_CHOLMOD AND TRILITH_CHOLMOD_HEADER)
  target_link_libraries(${name} PRIVATE ${TRILITH_CHOLMOD} ${CMAKE_DL_LIBS})
  target_compile_definitions(${name} PRIVATE TRILITH_HAVE_CHOLMOD)
endif()
