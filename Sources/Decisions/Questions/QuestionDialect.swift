/// The protocol in which another proxy asks whether a request may pass.
package enum QuestionDialect: Sendable, Equatable {
    /// nginx `auth_request`: 200, 401 and 403 are the only answers that it knows.
    case nginx
    /// Traefik `forwardAuth` and Caddy `forward_auth`: any other answer than 200 goes to the browser.
    case forward
    /// Envoy `ext_authz` over HTTP: the original method and path below a prefix.
    case envoy
    /// The same over gRPC, as Gateway API's `ExternalAuth` has it, too.
    case grpc

    /// The proxy removes headers from the request that the answer lists.
    var removesHeaders: Bool { self == .envoy || self == .grpc }
}

/// The reason why a question gets no decision. The proxy gets 403.
package enum QuestionRefusal: Error, Sendable, Equatable {
    /// The address is none of the endpoints.
    case unknownEndpoint
    /// The endpoint answers GET and HEAD only.
    case method
    case missing(String)
    /// The header occurs more than once.
    case repeated(String)
    case invalid(String)
    /// Two headers describe different requests.
    case contradictory(String)
    /// Programs read the path in different ways.
    case path(String)
    /// The request that the question describes violates HTTP.
    case request(String)

    /// For the log.
    package var reason: String {
        switch self {
        case .unknownEndpoint: "unknown-endpoint"
        case .method: "method"
        case .missing(let header): "missing \(header)"
        case .repeated(let header): "repeated \(header)"
        case .invalid(let header): "invalid \(header)"
        case .contradictory(let header): "contradictory \(header)"
        case .path(let finding), .request(let finding): finding
        }
    }
}
