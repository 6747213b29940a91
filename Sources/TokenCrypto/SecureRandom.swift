import COpenSSL

package enum SecureRandom {
    /// From OpenSSL's CSPRNG; the process ends if it fails.
    package static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            // It worked when the program started (`OpenSSLCheck`). Without randomness sessions could be guessed: better no gateway at all.
            guard count == 0 || RAND_bytes(output.baseAddress, Int32(count)) == 1 else {
                fatalError("the random number generator failed")
            }
            initialized = count
        }
    }
}
