package import NIOCore

extension ByteBuffer {
    /// Writes a chunk size in lower-case hexadecimal.
    package mutating func writeHexadecimal(_ value: Int) {
        var shift = value == 0 ? 0 : (63 - value.leadingZeroBitCount) / 4 * 4
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: (value >> shift) & 15)
            writeInteger(digit < 10 ? digit + 48 : digit + 87)
            shift -= 4
        }
    }
}
