/// Translates libyaml's marks, which count Unicode scalars after the byte order mark, to byte offsets.
struct OffsetMap {
    private static let stride = 64
    private let bytes: [UInt8]
    private let base: Int
    /// The offset of every 64th scalar; nil for ASCII text, where each scalar is one byte.
    private let checkpoints: [Int]?

    init(bytes: [UInt8], skipping base: Int) {
        self.bytes = bytes
        self.base = base
        guard bytes[base...].contains(where: { $0 >= 0x80 }) else {
            checkpoints = nil
            return
        }
        var checkpoints: [Int] = []
        var scalars = 0
        bytes.withUnsafeBufferPointer { bytes in
            for offset in base..<bytes.count where bytes[offset] & 0xC0 != 0x80 {
                if scalars % Self.stride == 0 { checkpoints.append(offset) }
                scalars += 1
            }
        }
        self.checkpoints = checkpoints
    }

    func offset(ofScalar index: Int) -> Int {
        guard let checkpoints else { return min(base + index, bytes.count) }
        guard index / Self.stride < checkpoints.count else { return bytes.count }
        var offset = checkpoints[index / Self.stride]
        var remaining = index % Self.stride
        while remaining > 0, offset < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            remaining -= 1
        }
        return offset
    }
}
