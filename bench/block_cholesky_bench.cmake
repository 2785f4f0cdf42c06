# Peers of the block Cholesky bench. Each is optional; the program prints a line for one that is absent.
set_property(TARGET ${name} PROPERTY LINK_LIBRARIES trilith_linalg)  # nothing above it is measured
find_library(TRILITH_CHOLMOD cholmod)
find_library(TRILITH_METIS metis)
find_path(TRILITH_CHOLMOD_HEADER suitesparse/cholmod.h)
find_path(TRILITH_METIS_HEADER metis.h)
if(TRILITH_CHOLMOD AND TRILITH_CHOLMOD_HEADER)
  target_link_libraries(${name} PRIVATE ${TRILITH_CHOLMOD} ${CMAKE_DL_LIBS})
  target_compile_definitions(${name} PRIVATE TRILITH_HAVE_CHOLMOD)
endif()
if(TRILITH_METIS AND TRILITH_METIS_HEADER)
  target_link_libraries(${name} PRIVATE ${TRILITH_METIS})
  target_compile_definitions(${name} PRIVATE TRILITH_HAVE_METIS)
endif()
