# Pinocchio as a peer: headers under $TRILITH_PEERS/include, with Eigen and Boost of the system. Optional; the program prints a line where it
# is absent. It is compiled as its users do: for the machine at hand, with contraction.
set_property(TARGET ${name} PROPERTY LINK_LIBRARIES trilith_multibody)  # nothing above it is measured
target_sources(${name} PRIVATE bench_support.cpp pinocchio_peer.cpp)
find_path(TRILITH_PINOCCHIO_HEADERS pinocchio/algorithm/aba-derivatives.hpp HINTS $ENV{TRILITH_PEERS} PATH_SUFFIXES include)
find_path(TRILITH_EIGEN_HEADERS Eigen/Core PATH_SUFFIXES eigen3)
find_path(TRILITH_BOOST_HEADERS boost/variant.hpp)
if(TRILITH_PINOCCHIO_HEADERS AND TRILITH_EIGEN_HEADERS AND TRILITH_BOOST_HEADERS)
  set_source_files_properties(pinocchio_peer.cpp PROPERTIES COMPILE_OPTIONS "-march=native;-ffp-contract=fast;-w"
    INCLUDE_DIRECTORIES "${TRILITH_PINOCCHIO_HEADERS};${TRILITH_EIGEN_HEADERS};${TRILITH_BOOST_HEADERS}"
    COMPILE_DEFINITIONS TRILITH_HAVE_PINOCCHIO)
endif()
