# models of the reference data are read with io
target_link_libraries(multibody_test PRIVATE trilith_io)
