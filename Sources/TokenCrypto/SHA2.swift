import COpenSSL

package enum SHA2 {
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, .sha256) }
    package static func sha384(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, .sha384) }
    package static func sha512(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, .sha512) }

    private static func digest(_ bytes: [UInt8], _ algorithm: DigestAlgorithm) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: algorithm.size) { output, count in
            var size: UInt32 = 0
            let status = EVP_Digest(bytes, bytes.count, output.baseAddress, &size, algorithm.pointer, nil)
            precondition(status == 1, "the digest failed: out of memory")
            count = Int(size)
        }
    }
}
