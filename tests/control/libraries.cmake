target_link_libraries(control_test PRIVATE trilith_io) #the reference robots are files
