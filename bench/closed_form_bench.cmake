set_property(TARGET ${name} PROPERTY LINK_LIBRARIES trilith_constraints trilith_solve)  # nothing above them is measured
include(cholmod_peer.cmake)
