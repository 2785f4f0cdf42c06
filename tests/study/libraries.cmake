# the program that the process tests run
add_dependencies(study_test trilith_program)
target_compile_definitions(study_test PRIVATE TRILITH_PROGRAM="$<TARGET_FILE:trilith_program>")
