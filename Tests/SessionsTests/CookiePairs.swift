/// Calls `body` with cookie pairs as the request path has them: bytes in one buffer.
func withPairs<Result>(
    _ pairs: [(String, String)], _ body: ([(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)]) -> Result
) -> Result {
    let bytes = pairs.flatMap { Array($0.0.utf8) + Array($0.1.utf8) }
    return bytes.withUnsafeBytes { buffer in
        var position = 0
        func next(_ count: Int) -> UnsafeRawBufferPointer {
            defer { position += count }
            return UnsafeRawBufferPointer(rebasing: buffer[position..<position + count])
        }
        return body(pairs.map { (name: next($0.0.utf8.count), value: next($0.1.utf8.count)) })
    }
}

/// What a browser keeps after it was sent these `Set-Cookie` values, as far as names and values go.
func store(_ lines: [String], in jar: [(String, String)]) -> [(String, String)] {
    var jar = jar
    for line in lines {
        let pair = line.split(separator: ";")[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        jar.removeAll { $0.0 == pair[0] }
        if !line.contains("Max-Age=0") { jar.append((String(pair[0]), String(pair[1]))) }
    }
    return jar
}
