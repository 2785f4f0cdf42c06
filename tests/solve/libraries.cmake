# assemblies as problems, and their rows; files of recorded rows
target_link_libraries(solve_test PRIVATE trilith_constraints trilith_io)
