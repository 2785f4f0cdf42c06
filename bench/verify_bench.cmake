# the structures with known force states of the tests
target_include_directories(verify_bench PRIVATE ${CMAKE_SOURCE_DIR}/tests)
