import Accounts
import Primitives
import Sessions
import TokenCrypto

/// The list items that a header cannot carry.
struct ItemsLeftOut {
    /// The maximum number of groups to name.
    private static let maximumNames = 3

    private(set) var count = 0
    private(set) var groups: [String] = []

    mutating func add(_ items: [String], areGroups: Bool) {
        count += items.count
        if areGroups { groups += items.prefix(Self.maximumNames - groups.count) }
    }
}

/// The template values of a session.
struct IdentityValues {
    let session: Session
    let showsUnverifiedEmail: Bool

    private enum Value {
        case text(String)
        case list([String])
    }

    /// Renders a template. Nil if a value is missing, because a partial value would be a different value. Adds list items that
    /// could not be written to `leftOut`.
    func render(_ template: HeaderTemplate, leftOut: inout ItemsLeftOut) -> String? {
        var result = ""
        for part in template.parts {
            switch part {
            case .literal(let text): result += text
            case .value(let field, let filters):
                guard let value = value(of: field), let text = Self.apply(filters, to: value, of: field, leftOut: &leftOut) else {
                    return nil
                }
                result += text
            }
        }
        return result.isEmpty ? nil : result
    }

    private func value(of field: HeaderTemplate.Field) -> Value? {
        let identity = session.identity
        switch field {
        case .uid: return Self.text(session.uid)
        case .email: return identity.emailVerified == true || showsUnverifiedEmail ? Self.text(identity.email) : nil
        case .emailVerified: return identity.email == nil ? nil : .text(identity.emailVerified == true ? "true" : "false")
        case .username: return Self.text(identity.username)
        case .name: return Self.text(identity.name)
        case .picture: return Self.text(identity.picture)
        case .locale: return Self.text(identity.locale)
        case .groups: return .list(identity.groups)
        case .provider: return Self.text(identity.provider)
        case .authTime: return .text(String(session.authTime / 1000))
        case .accessToken: return Self.text(session.tokens.accessToken)
        case .idToken: return Self.text(session.tokens.idToken)
        case .providers: return (session.account?.providers).map(Value.list)
        case .secondFactor: return Self.text(session.account?.secondFactor)
        case .anonymous: return (session.account?.isAnonymous).map { .text($0 ? "true" : "false") }
        case .claim(let path): return identity.claims.value(at: path).flatMap(Self.claim)
        }
    }

    private static func text(_ text: String?) -> Value? {
        guard let text, !text.isEmpty else { return nil }
        return .text(text)
    }

    private static func claim(_ value: JSONValue) -> Value? {
        if case .array(let items) = value { return .list(items.compactMap(scalar)) }
        return text(scalar(value))
    }

    /// The text of a value; nil for objects, nested lists and null.
    private static func scalar(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .null, .array, .object: nil
        }
    }

    private static func apply(
        _ filters: [HeaderTemplate.Filter], to value: Value, of field: HeaderTemplate.Field, leftOut: inout ItemsLeftOut
    ) -> String? {
        var text: String
        switch value {
        case .text(let single): text = single
        case .list(let items):
            var separator = ","
            if case .join(let other)? = filters.first { separator = other }
            guard let joined = join(items, separator, areGroups: field == .groups, leftOut: &leftOut) else { return nil }
            text = joined
        }
        for filter in filters {
            switch filter {
            case .join: continue
            case .base64: text = Base64.encode(Array(text.utf8))
            case .urlencode: text = PercentEncoding.encode(text)
            }
        }
        return text
    }

    /// Joins the items that can be written; nil if there are none.
    private static func join(_ items: [String], _ separator: String, areGroups: Bool, leftOut: inout ItemsLeftOut) -> String? {
        let needle = Array(separator.utf8)
        func fits(_ item: String) -> Bool {
            !item.isEmpty && !HeaderText.holdsControl(item) && !HeaderText.hasOuterWhiteSpace(item) && !holds(Array(item.utf8), needle)
        }
        let kept = items.filter(fits)
        if kept.count < items.count { leftOut.add(items.filter { !fits($0) }, areGroups: areGroups) }
        return kept.isEmpty ? nil : kept.joined(separator: separator)
    }

    /// Returns whether the item contains the separator, or forms one with the separator next to it: `a:` before `::`. Compares bytes,
    /// because `String.contains` would miss a separator followed by a combining mark.
    private static func holds(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
        for count in 1..<max(needle.count, 1) {
            if bytes.reversed().starts(with: needle.prefix(count).reversed()) || bytes.starts(with: needle.suffix(count)) { return true }
        }
        guard bytes.count >= needle.count else { return false }
        return (0...bytes.count - needle.count).contains { bytes[$0...].starts(with: needle) }
    }
}
