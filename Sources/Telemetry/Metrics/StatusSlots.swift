/// The status codes that the metrics tell apart. Any other counts under its class, so that an upstream cannot make series at will.
package enum StatusSlots {
    /// The status of a request whose client disconnected before the response.
    static let clientGone = 499

    private static let known = [
        101, 200, 201, 202, 203, 204, 205, 206, 207, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410,
        411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423, 425, 426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 505, 507, 508,
    ]
    /// The label of each slot; the first six are the classes' own.
    static let labels: [String] = ["other", "1xx", "2xx", "3xx", "4xx", "5xx"] + known.map(String.init)
    package static let count = labels.count

    private static let table: [UInt8] = {
        var table = (0..<600).map { UInt8($0 < 100 ? 0 : $0 / 100) }
        for (index, status) in known.enumerated() { table[status] = UInt8(index + 6) }
        return table
    }()

    /// The slot of a status code; 0: the client disconnected before the response.
    package static func slot(_ status: Int) -> Int {
        guard status > 0 else { return slot(clientGone) }
        return status < 600 ? Int(table[status]) : 0
    }
}
