@testable import Sessions

/// `SessionCookieValue` with copies of the bytes.
enum AssembledCookies {
    case absent
    case whole([UInt8])
    case joined([UInt8])
    case refused(Authentication.Refusal)
}

extension SessionCookies {
    /// What the request path finds in these pairs.
    func assembled(_ pairs: [(String, String)]) -> AssembledCookies {
        var bytes: [UInt8] = []
        var found = FoundCookies()
        for (name, value) in pairs {
            let start = bytes.count
            bytes += value.utf8
            found.add(start..<bytes.count, kind(of: name.utf8.span.bytes))
        }
        switch found.value(in: bytes.span.bytes) {
        case .absent: return .absent
        case .whole(let range): return .whole(Array(bytes[range]))
        case .joined(let joined): return .joined(joined)
        case .refused(let refusal): return .refused(refusal)
        }
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
