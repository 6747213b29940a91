import Accounts
package import Conditions
package import Sessions
import TokenCrypto

/// The variable `auth` of conditions: a session. Made once for a session on an event loop, and only if a condition reads it.
package final class ConditionAuth: ConditionObject {
    private let values: [ConditionValue?]

    package var typeName: String { "auth" }

    package func field(at index: Int) -> ConditionValue? { values.indices.contains(index) ? values[index] : nil }

    /// `time` in Unix milliseconds and `secondFactor` replace those of the session, to find out what a new sign-in would change.
    package init(_ session: Session, time: Int64? = nil, secondFactor: Bool? = nil) {
        let identity = session.identity
        values = [
            .string(session.uid), .string(identity.provider), .list(identity.groups.map { .string($0) }),
            identity.email.map { .string($0) }, .bool(identity.emailVerified == true), .time(milliseconds: time ?? session.authTime),
            .bool(secondFactor ?? (session.account?.secondFactor != nil)), Self.token(identity.claims),
        ]
    }

    static let type = ConditionEnvironment.ObjectType(
        "auth",
        [
            .init("uid", .string), .init("provider", .string), .init("groups", .list(.string)), .init("email", .string, isOptional: true),
            .init("emailVerified", .bool), .init("time", .timestamp), .init("secondFactor", .bool),
            .init("token", .map(.string, .dynamic)),
        ])

    private static func token(_ claims: JSONValue) -> ConditionValue {
        if case .object = claims { value(claims) } else { .map(ConditionMap(strings: [])) }
    }

    /// The JSON parser bounds the depth of claims.
    private static func value(_ json: JSONValue) -> ConditionValue {
        switch json {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .int(value)
        case .number(let value): .double(value)
        case .string(let value): .string(value)
        case .array(let items): .list(items.map(value))
        case .object(let members):
            .map(ConditionMap(strings: members.sorted { $0.key < $1.key }.map { ($0.key, value($0.value)) }))
        }
    }
}

extension ConditionValue {
    /// A timestamp; nil for a time that the language cannot express.
    package static func time(milliseconds: Int64) -> ConditionValue? {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let floor = rest < 0 ? seconds - 1 : seconds
        let nanoseconds = Int32((rest < 0 ? rest + 1_000 : rest) * 1_000_000)
        return ConditionTimestamp(seconds: floor, nanoseconds: nanoseconds).map { .timestamp($0) }
    }
}
