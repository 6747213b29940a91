import Accounts
package import Sessions
import Telemetry
package import TokenCrypto

/// Lists of sessions as JSON (contract section 7, "Own sessions").
package enum SessionList {
    /// For an operator.
    package static func json(_ records: [SessionRecord]) -> JSONValue { .array(records.map { .object(members($0)) }) }

    /// For the user. `current`: the reference of the session that asks.
    static func json(_ records: [SessionRecord], current: String) -> JSONValue {
        .array(
            records.map { record in
                var members = members(record)
                members["uid"] = nil
                members["current"] = .bool(record.id == current)
                return .object(members)
            })
    }

    private static func members(_ record: SessionRecord) -> [String: JSONValue] {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return [
            "id": .string(record.id), "uid": .string(record.uid),
            "created_at": .string(Timestamp.rfc3339(milliseconds: record.createdAt)),
            "last_seen_at": .string(Timestamp.rfc3339(milliseconds: record.lastSeenAt)), "provider": .string(record.provider),
            "user_agent": text(record.client.userAgent), "address": text(record.client.address),
        ]
    }
}
