#assemblies as problems, and their rows
target_link_libraries(solve_test PRIVATE trilith_constraints)
