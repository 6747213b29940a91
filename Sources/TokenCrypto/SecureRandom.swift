import COpenSSL

package enum SecureRandom {
    /// Random bytes from OpenSSL's CSPRNG; a failure ends the process.
    package static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            // It worked at start (`OpenSSLCheck`). Without randomness, sessions could be guessed, so the process must end.
            guard count == 0 || RAND_bytes(output.baseAddress, Int32(count)) == 1 else {
                fatalError("the random number generator failed")
            }
            initialized = count
        }
    }
}
