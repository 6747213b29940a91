/// The parts of a request that an access rule reads. Requests on a route that agree in them have the same outcome for the same session.
package struct RequestInputs: Sendable {
    package let method: Bool
    package let host: Bool
    /// The path, or segments of it.
    package let path: Bool
    package let query: Bool
    package let scheme: Bool
    /// The client's address.
    package let address: Bool
    /// The names of headers, in lower case.
    package let headers: [[UInt8]]

    /// Nil for a rule that reads something that rarely comes a second time, such as the time, the id of the request or its cookies.
    ///
    /// `networks`: the rule has a condition about the client's network.
    init?(_ reads: ConditionReads, networks: Bool) {
        guard reads.fields.isDisjoint(with: [.time, .id, .clientCertificate]) else { return nil }
        method = reads.fields.contains(.method)
        host = reads.fields.contains(.host)
        path = reads.path || reads.fields.contains(.path)
        query = reads.fields.contains(.query)
        scheme = reads.fields.contains(.scheme)
        address = networks || reads.fields.contains(.address)
        if reads.fields.contains(.headers) {
            guard let names = reads.headers, !names.contains("cookie") else { return nil }
            headers = names.sorted().map { Array($0.utf8) }
        } else {
            headers = []
        }
    }
}
