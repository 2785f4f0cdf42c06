target_sources(${name} PRIVATE bench_support.cpp conic_cases.cpp)
target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)  # support/shared_data.h
target_compile_definitions(${name} PRIVATE TRILITH_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
