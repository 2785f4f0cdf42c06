find_package(nlohmann_json REQUIRED) #reads the reference interfaces target_link_libraries(model_test PRIVATE nlohmann_json::nlohmann_json)
