import Accounts

/// The times of imported accounts, in digits and in RFC 3339.
enum ImportNumbers {
    private static let range: ClosedRange<Int64> = 0...253_402_300_799_999

    static func check(_ number: String) throws(Broken) {
        let firebase = FirebaseImport(issuers: [:], passwords: .leftOut)
        for value in [number, "\"\(number)\""] {
            let text = "{\"localId\":\"a\",\"createdAt\":\(value),\"lastSignedInAt\":\(value)}"
            guard let user = try? firebase.user(parsing: Array(text.utf8), now: 0) else { continue }
            try check(user.record)
        }
        for time in ["\(number)-01-01T00:00:00Z", "2024-01-01T00:00:00.\(number)Z", "2024-\(number)-01T00:00:00Z"] {
            let text = "{\"uid\":\"a\",\"created_at\":\"\(time)\"}"
            guard let record = try? AccountDocument.record(parsing: Array(text.utf8), now: 0) else { continue }
            try check(record)
        }
    }

    /// An accepted time is in range, and written as it was read.
    private static func check(_ record: AccountRecord) throws(Broken) {
        try hold(range.contains(record.account.createdAt), "a time of an import is out of range")
        let again = try? AccountDocument.record(parsing: AccountDocument.exported(record), now: 0)
        try hold(again == record, "an imported time is written in another way than it was read")
    }
}
