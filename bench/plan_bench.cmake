target_sources(${name} PRIVATE bench_support.cpp)
