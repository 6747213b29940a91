import Glibc
import Synchronization

/// A time zone that an expression names.
enum ConditionTimeZone: Sendable {
    case fixed(Int)
    case rules(TimeZoneRules)

    func offset(at seconds: Int64) -> Int {
        switch self {
        case .fixed(let offset): offset
        case .rules(let rules): rules.offset(at: seconds)
        }
    }
}

/// The time zones of the system's database. Each file is read once.
package final class ConditionTimeZones: Sendable {
    package static let system = ConditionTimeZones(folder: "/usr/share/zoneinfo")

    private let folder: String
    private let known = Mutex<[String: TimeZoneRules]>([:])

    package init(folder: String) { self.folder = folder }

    /// `UTC`, a fixed offset (`+02:00`), or a name of the database (`Europe/Paris`); nil for other texts.
    func zone(_ name: String) -> ConditionTimeZone? {
        if name == "UTC" || name == "Z" { return .fixed(0) }
        if let offset = Self.fixedOffset(name) { return .fixed(offset) }
        guard Self.isName(name) else { return nil }
        if let rules = known.withLock({ $0[name] }) { return .rules(rules) }
        guard let bytes = Self.read("\(folder)/\(name)"), let rules = TimeZoneRules(bytes) else { return nil }
        known.withLock { $0[name] = rules }
        return .rules(rules)
    }

    /// `+hh:mm` or `-hh:mm`; without a sign it is east of UTC.
    private static func fixedOffset(_ name: String) -> Int? {
        var scanner = DigitScanner(name)
        let isNegative = scanner.take("-")
        if !isNegative { _ = scanner.take("+") }
        guard let hours = scanner.digits(2), scanner.take(":"), let minutes = scanner.digits(2), scanner.isAtEnd, hours < 24, minutes < 60
        else { return nil }
        return (hours * 3_600 + minutes * 60) * (isNegative ? -1 : 1)
    }

    /// Whether the text can only be a path below the folder.
    private static func isName(_ name: String) -> Bool {
        guard name.utf8.count <= 64 else { return false }
        return name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            guard let first = part.utf8.first, first.isIdentifierStart else { return false }
            return part.utf8.allSatisfy { $0.isIdentifierStart || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        }
    }

    private static func read(_ path: String) -> [UInt8]? {
        // A directory can be opened, but reading it fails.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        while count < bytes.count {
            let received = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress?.advanced(by: count), $0.count - count) }
            if received < 0, errno == EINTR { continue }
            guard received > 0 else { break }
            count += received
        }
        return count < bytes.count ? Array(bytes[..<count]) : nil
    }
}
