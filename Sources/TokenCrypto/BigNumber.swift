import COpenSSL

enum BigNumber {
    /// The number in big-endian bytes, padded with leading zeros; nil if it does not fit.
    static func bytes(_ number: OpaquePointer, size: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: size)
        return BN_bn2binpad(number, &bytes, Int32(size)) == Int32(size) ? bytes : nil
    }
}
