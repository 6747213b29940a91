import HTTPWire
import SignIn
import TokenCrypto

/// The bodies that endpoints read.
extension Endpoints {
    /// Largest body of a form of ours or of a provider's `form_post`.
    private static let bodyLimit = 64 * 1024

    /// Goes on with the whole body, as text.
    func collectBody(_ request: EndpointRequest, then action: @escaping (EndpointRequest, String) -> Void) {
        BodyCollector.collect(request.exchange, limit: Self.bodyLimit) { exchange, body in
            action(
                EndpointRequest(exchange: exchange, context: request.context, segments: request.segments),
                String(decoding: body, as: UTF8.self))
        }
    }

    /// Goes on with the fields of a form, in order, duplicates included; none for a body that is no form.
    func collectForm(_ request: EndpointRequest, then action: @escaping (EndpointRequest, [(name: String, value: String)]) -> Void) {
        collectBody(request) { action($0, FormCoding.fields(of: $1) ?? []) }
    }

    /// Goes on with a JSON body; refuses another type and what is no JSON. `subject`: the first part of the reason in the log.
    ///
    /// A page of another origin cannot send JSON without a preflight (Fetch section 4.8).
    func collectJSON(_ request: EndpointRequest, subject: String, then action: @escaping (EndpointRequest, JSONValue) -> Void) {
        guard request.head.text(.contentType).map(MediaType.isJSON) == true else {
            return refuse(request, status: 400, code: "auth/invalid-request", reason: subject + "-content-type")
        }
        collectBody(request) { [self] request, body in
            guard let json = try? JSONValue(parsing: body) else { return refuseBody(request, subject: subject) }
            action(request, json)
        }
    }

    /// The body has the right type and not the content that the endpoint needs.
    func refuseBody(_ request: EndpointRequest, subject: String) {
        refuse(request, status: 400, code: "auth/invalid-request", reason: subject + "-body")
    }
}

/// The media types of bodies (RFC 9110 section 8.3.1).
enum MediaType {
    static func isForm(_ contentType: String) -> Bool { contentType.lowercased().hasPrefix("application/x-www-form-urlencoded") }

    static func isJSON(_ contentType: String) -> Bool {
        contentType.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased() == "application/json"
    }
}
