import TokenCrypto

/// Compares two `state` values in time that depends on their lengths only.
func constantTimeEqualStates(_ a: String, _ b: String) -> Bool { constantTimeEqual(Array(a.utf8), Array(b.utf8)) }
