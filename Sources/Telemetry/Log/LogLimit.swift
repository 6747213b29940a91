package import HTTPWire

/// The most bytes of a client's value in one line. The rest is cut, and `…` marks the cut.
package enum LogLimit {
    package static let method = 32
    package static let host = 256
    package static let path = 2_048
    package static let query = 2_048
    package static let userAgent = 512
    package static let referer = 1_024
    /// The name of a group or of a header.
    package static let name = 64
    /// Any value of an event. Longer ones are the operator's own, such as a list of addresses.
    package static let field = 4_096

    /// The report of a configuration that was refused has as many lines as the configuration has errors.
    package static func of(field name: String) -> Int { name == "report" ? .max : field }
}

extension StringProtocol {
    /// At most `limit` bytes of UTF-8, cut between characters, with `…` where something was cut.
    package func shortened(to limit: Int) -> String {
        guard utf8.count > limit else { return String(self) }
        var count = 0
        var end = startIndex
        for scalar in unicodeScalars {
            count += UTF8.width(scalar)
            if count > limit { break }
            end = unicodeScalars.index(after: end)
        }
        return String(self[..<end]) + "…"
    }
}

extension RequestHead {
    /// The method, host and path as a line of the log shows them.
    package var loggedMethod: String { text(methodRange, limit: LogLimit.method) }
    package var loggedHost: String { text(authorityRange, limit: LogLimit.host) }
    package var loggedPath: String { pathRange.isEmpty ? pathText : text(pathRange, limit: LogLimit.path) }

    /// The text of a part of the head, at most `limit` bytes of it.
    package func text(_ range: Range<Int>, limit: Int) -> String {
        // The bytes may be no UTF-8: cut before they are decoded, and again since a replacement takes three bytes.
        let cut = range.count > limit ? range.lowerBound..<range.lowerBound + limit + 1 : range
        return text(cut).shortened(to: limit)
    }
}
