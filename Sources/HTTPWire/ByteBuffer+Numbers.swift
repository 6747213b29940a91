package import NIOCore

extension ByteBuffer {
    /// A non-negative integer in decimal, without going through a string.
    package mutating func writeDecimal(_ value: Int) {
        precondition(value >= 0, "lengths and counts are never negative")
        if value < 10 {
            writeInteger(UInt8(truncatingIfNeeded: 48 + value))
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = value
            var index = 20
            while rest > 0 {
                index -= 1
                digits[index] = UInt8(truncatingIfNeeded: 48 + rest % 10)
                rest /= 10
            }
            _ = writeBytes(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(digits)[index..<20]))
        }
    }

    /// A chunk-size in lower-case hexadecimal.
    package mutating func writeHexadecimal(_ value: Int) {
        var shift = value == 0 ? 0 : (63 - value.leadingZeroBitCount) / 4 * 4
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: (value >> shift) & 15)
            writeInteger(digit < 10 ? digit + 48 : digit + 87)
            shift -= 4
        }
    }
}
