import HTTPWire
import Primitives

/// The parts of requests and sessions that the conditions of a rule read.
package struct ConditionReads: Sendable, Hashable {
    /// The names of the headers and query parameters; nil for all of them.
    package var headers: Set<String>? = []
    package var query: Set<String>? = []
    /// The claims; nil for all of them.
    package var claims: Set<String>? = []
    package var groups = false
    package var auth = false
    package var path = false
    /// The fields of `request`.
    package var fields: Set<RequestField> = []

    /// True if the outcome depends on the request.
    package var request: Bool { !fields.isEmpty }

    /// True if it depends on something about the request that the client cannot choose.
    package var provenRequest: Bool { !fields.isDisjoint(with: [.address, .clientCertificate, .headers]) }

    package init() {}

    package init(_ paths: Set<[String]>) {
        for path in paths { add(path) }
    }

    private mutating func add(_ path: [String]) {
        let field = path.count > 1 ? path[1] : nil
        switch path.first {
        case "auth":
            auth = true
            if field == nil || field == "groups" { groups = true }
            if field == nil || field == "token" { Self.add(path, to: &claims) }
        case "request":
            let named = RequestField.allCases.filter { "\($0)" == field }
            fields.formUnion(named.isEmpty ? RequestField.allCases : named)
            if field == nil || field == "headers" { Self.add(path, to: &headers) }
            if field == nil || field == "query" { Self.add(path, to: &query) }
        case "path": self.path = true
        default: break
        }
    }

    private static func add(_ path: [String], to names: inout Set<String>?) {
        if path.count > 2 { names?.insert(path[2]) } else { names = nil }
    }

    /// Whether the value of a header matters. `name`: in any case.
    package func mayRead(header name: RawSpan) -> Bool {
        guard let headers else { return true }
        // Few, and compared faster than they are hashed.
        for header in headers where name.equalsIgnoringCase(header.utf8.span.bytes) { return true }
        return false
    }

    package mutating func formUnion(_ other: ConditionReads) {
        headers = Self.union(headers, other.headers)
        query = Self.union(query, other.query)
        claims = Self.union(claims, other.claims)
        groups = groups || other.groups
        auth = auth || other.auth
        path = path || other.path
        fields.formUnion(other.fields)
    }

    private static func union(_ first: Set<String>?, _ second: Set<String>?) -> Set<String>? {
        guard let first, let second else { return nil }
        return first.union(second)
    }
}
