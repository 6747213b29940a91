import Glibc

/// Standard output without a buffer, for data that must be complete.
enum StandardOutput {
    /// Writes all bytes. A failure ends the command with a message.
    static func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw Terminal.failure("cannot write to standard output: \(String(cString: strerror(errno)).lowercased())")
            }
            rest = rest.dropFirst(count)
        }
    }

    static func write(line text: String) throws { try write(Array(text.utf8) + [UInt8(ascii: "\n")]) }
}
