/// The fields of a `/login` query that do not reach the provider: how many for each reason, and the first few names.
///
/// Its size does not depend on the query's: a browser can send thousands of names.
package struct DroppedParameters: Sendable, Hashable {
    package enum Reason: String, Sendable, CaseIterable {
        case notAllowed = "not in requestParameters"
        case reserved
        case duplicate
        case invalidValue = "over 1,024 bytes or with control characters"
        case invalidMaxAge = "not a number of seconds from 0 to 315360000"
        case tooMany = "beyond the 100th parameter"
    }

    /// The most names that are kept, and the longest name.
    package static let maximumNames = 5
    package static let maximumNameBytes = 64

    /// The first few different names, each cut to 64 bytes, with `?` for anything but printable ASCII.
    package private(set) var names: [String] = []
    private var counts: [Reason: Int] = [:]

    package init() {}

    package mutating func add(_ name: String, _ reason: Reason) {
        counts[reason, default: 0] += 1
        guard names.count < Self.maximumNames else { return }
        let shown = Self.loggable(name)
        if !names.contains(shown) { names.append(shown) }
    }

    package var isEmpty: Bool { counts.isEmpty }
    package var count: Int { counts.values.reduce(0, +) }

    /// The number of fields that each reason dropped, in the order of the reasons.
    package var byReason: [(reason: Reason, count: Int)] {
        Reason.allCases.compactMap { reason in counts[reason].map { (reason, $0) } }
    }

    private static func loggable(_ name: String) -> String {
        String(decoding: name.utf8.prefix(maximumNameBytes).map { $0 >= 0x20 && $0 < 0x7f ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
