import CPostgres

/// The parameters of a connection as libpq takes them: those of the URL, and defaults for what the URL does not say.
struct PostgresParameters: Sendable {
    /// Seconds for one attempt to connect to one host, unless the URL has `connect_timeout`.
    static let connectTimeout = 5
    /// A thread waits for an attempt, so that "forever" and hours are not accepted.
    static let longestConnectTimeout = 30

    let values: [String: String]

    /// Reads the URL with libpq's own parser. The error never repeats a part of the URL: a mistyped URL may show its password anywhere.
    init(url: String, libpq: LibPQ, settings: PostgresSettings) throws(SQLError) {
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
            throw .unavailable("the database URL does not begin with postgres:// or postgresql://")
        }
        // C would read the URL up to the NUL.
        guard !url.utf8.contains(0) else { throw .unavailable("the database URL contains a NUL character") }
        var message: UnsafeMutablePointer<CChar>?
        let options = libpq.functions.PQconninfoParse(url, &message)
        if let message { libpq.functions.PQfreemem(message) }
        guard let options else {
            throw .unavailable(
                "libpq rejects the database URL; check its percent-escapes, its ports and the names of its parameters")
        }
        defer { libpq.functions.PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        self.values = Self.completed(values, settings)
    }

    private static func completed(_ given: [String: String], _ settings: PostgresSettings) -> [String: String] {
        var values = given
        // libpq rejects a value that is not a number.
        if let seconds = given["connect_timeout"].map({ Int($0) }) ?? connectTimeout {
            values["connect_timeout"] = String(seconds > 0 ? min(seconds, longestConnectTimeout) : longestConnectTimeout)
        }
        // Every text of the program is UTF-8.
        values["client_encoding"] = "UTF8"
        let defaults = [
            "fallback_application_name": "gateway",
            "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3",
            "tcp_user_timeout": String(settings.transactionTimeout.wholeMilliseconds),
        ]
        values.merge(defaults) { given, _ in given }
        // Of several hosts, the one that accepts writes is the right one after a failover.
        let hosts = given["host"] ?? given["hostaddr"] ?? ""
        if hosts.contains(","), given["target_session_attrs"] == nil { values["target_session_attrs"] = "read-write" }
        return values
    }

    /// Calls `body` with the parameters as two lists of C strings, each with NULL at its end.
    func withCStrings<Value>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        // One block of memory, so that the pointers are of one lifetime.
        var characters: [CChar] = []
        var keywords: [Int] = []
        var offsets: [Int] = []
        for (keyword, value) in values {
            keywords.append(characters.count)
            characters += keyword.utf8CString
            offsets.append(characters.count)
            characters += value.utf8CString
        }
        return characters.withUnsafeBufferPointer { block in
            let pointers = { (list: [Int]) in list.map { offset in block.baseAddress.map { $0 + offset } } + [nil] }
            return pointers(keywords).withUnsafeBufferPointer { keywords in
                pointers(offsets).withUnsafeBufferPointer { values in
                    guard let keywords = keywords.baseAddress, let values = values.baseAddress else {
                        preconditionFailure("a list with its final NULL is not empty")
                    }
                    return body(keywords, values)
                }
            }
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, at most those of 24 days: what poll(2) and PostgreSQL's time limits take.
    var wholeMilliseconds: CInt {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        return CInt(seconds) * 1_000 + CInt((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
