/// Bytes from hexadecimal digits, for vectors.
func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal.utf8)
    return stride(from: 0, to: digits.count, by: 2).map { index in
        UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)!
    }
}

func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }
