/// Parses `host [ ":" port ]` without userinfo (RFC 3986 section 3.2).
package enum Authority {
    static func isValid(_ bytes: UnsafePointer<UInt8>, _ length: Int, _ classes: ByteClassTable) -> Bool {
        guard length > 0, length <= 255 + 6 else { return false }
        var end = 0
        if bytes[0] == UInt8(ascii: "[") {
            end = 1
            while end < length, classes.contains(bytes[end], .hex) || bytes[end] == UInt8(ascii: ":") || bytes[end] == UInt8(ascii: ".") {
                end += 1
            }
            guard end > 2, end < length, bytes[end] == UInt8(ascii: "]") else { return false }
            end += 1
        } else {
            end = classes.prefixEnd(bytes, from: 0, to: length, .host)
            guard end > 0, bytes[0] != UInt8(ascii: ".") else { return false }
            // Labels are not empty; one dot at the end stands for the root.
            for index in 1..<max(1, end) where bytes[index] == UInt8(ascii: ".") && bytes[index - 1] == UInt8(ascii: ".") { return false }
        }
        guard end < length else { return true }
        guard bytes[end] == UInt8(ascii: ":"), length - end <= 6 else { return false }
        var port = 0
        for index in (end + 1)..<length {
            guard classes.contains(bytes[index], .digit) else { return false }
            port = port * 10 + Int(bytes[index] - 0x30)
        }
        return port <= 65_535
    }
}
