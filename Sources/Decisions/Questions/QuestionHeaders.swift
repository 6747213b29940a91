/// A header in which a proxy describes the request that it asks about.
enum QuestionHeader: UInt8, CaseIterable, Sendable {
    case originalMethod, originalURL, originalURI
    case forwardedMethod, forwardedProto, forwardedHost, forwardedURI

    var name: String {
        switch self {
        case .originalMethod: "X-Original-Method"
        case .originalURL: "X-Original-URL"
        case .originalURI: "X-Original-URI"
        case .forwardedMethod: "X-Forwarded-Method"
        case .forwardedProto: "X-Forwarded-Proto"
        case .forwardedHost: "X-Forwarded-Host"
        case .forwardedURI: "X-Forwarded-Uri"
        }
    }

    var lowerName: StaticString {
        switch self {
        case .originalMethod: "x-original-method"
        case .originalURL: "x-original-url"
        case .originalURI: "x-original-uri"
        case .forwardedMethod: "x-forwarded-method"
        case .forwardedProto: "x-forwarded-proto"
        case .forwardedHost: "x-forwarded-host"
        case .forwardedURI: "x-forwarded-uri"
        }
    }
}

/// The headers of a question that describe its request.
///
/// Proxies pass a client's headers on with a question, so every header that the proxy does not write itself may be the client's.
struct QuestionHeaders: Sendable {
    /// A question without one of them is refused. So a proxy whose requests pass writes all of them.
    let required: [QuestionHeader]
    /// The proxy writes at least one of them. All that are there must name the same request.
    let alternatives: [QuestionHeader]
    /// May stand beside the others, and must agree with them. Alone they name the scheme.
    let beside: [QuestionHeader]
    private let bits: UInt8

    init(required: [QuestionHeader] = [], alternatives: [QuestionHeader] = [], beside: [QuestionHeader] = []) {
        self.required = required
        self.alternatives = alternatives
        self.beside = beside
        bits = (required + alternatives + beside).reduce(0) { $0 | 1 << $1.rawValue }
    }

    /// A header that the dialect does not have is never read.
    func contains(_ header: QuestionHeader) -> Bool { bits & 1 << header.rawValue != 0 }
}

extension QuestionDialect {
    /// The one table of dialects. The rest of a request is in the question's own method, path and `Host`, or in the attributes of gRPC.
    var headers: QuestionHeaders {
        switch self {
        case .nginx: Self.nginxHeaders
        case .forward: Self.forwardHeaders
        case .envoy, .grpc: Self.envoyHeaders
        }
    }

    private static let nginxHeaders = QuestionHeaders(
        required: [.originalMethod], alternatives: [.originalURL, .originalURI], beside: [.forwardedProto])
    private static let forwardHeaders = QuestionHeaders(
        required: [.forwardedMethod, .forwardedProto, .forwardedHost, .forwardedURI])
    private static let envoyHeaders = QuestionHeaders(beside: [.forwardedProto])
}
