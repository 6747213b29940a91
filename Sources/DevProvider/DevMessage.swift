import Pages
import TokenCrypto

/// A request as the HTTP server hands it over: already framed, body complete.
package struct DevRequest: Sendable {
    /// Upper case.
    package var method: String
    /// Percent-encoded as received, without the query.
    package var path: String
    /// Without the `?`; nil when there was none.
    package var query: String?
    /// In the order received; names in any case.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(
        method: String, path: String, query: String? = nil, headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The first value of the header, compared without case.
    package func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }

    /// The first cookie of that name.
    func cookie(_ name: String) -> String? {
        for header in headers where header.name.lowercased() == "cookie" {
            for pair in header.value.split(separator: ";") {
                let trimmed = pair.drop { $0 == " " }
                if trimmed.hasPrefix(name + "=") { return String(trimmed.dropFirst(name.count + 1)) }
            }
        }
        return nil
    }

    /// Whether the body is `application/x-www-form-urlencoded`.
    var hasForm: Bool {
        let type = header("Content-Type")?.split(separator: ";").first.map { $0.lowercased() } ?? ""
        return type.filter { $0 != " " } == "application/x-www-form-urlencoded"
    }

    var queryFields: FormFields { FormFields(query ?? "") }
    var formFields: FormFields { hasForm ? FormFields(String(decoding: body, as: UTF8.self)) : FormFields("") }
}

/// An answer, and how the server should bring it out.
package struct DevResponse: Sendable {
    /// For misbehaviour: when, or whether, the bytes go out.
    package enum Pace: Sendable, Equatable {
        case immediate
        /// Milliseconds to wait before the first byte.
        case after(milliseconds: Int64)
        /// Keep the connection open and answer nothing, until the client goes away.
        case never
        /// Close the connection without an answer.
        case close
    }

    package var status: Int
    /// Everything but `Content-Length`, `Date` and `Connection`.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    package var pace: Pace = .immediate

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value of the header, compared without case.
    package func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }

    /// Never cached, as RFC 6749 section 5.1 asks of token answers.
    static func json(_ value: JSONValue, status: Int = 200) -> DevResponse {
        DevResponse(
            status: status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: Array(value.serialized().utf8))
    }

    static func text(_ text: String, status: Int = 200) -> DevResponse {
        DevResponse(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")], body: Array(text.utf8))
    }

    static func page(_ page: Page) -> DevResponse {
        DevResponse(status: page.status, headers: page.headers(hsts: nil), body: page.body)
    }

    /// 302 for an answer to a GET, 303 to a POST, so that a form is never sent on.
    static func redirect(to location: String, after method: String) -> DevResponse {
        DevResponse(
            status: method == "POST" ? 303 : 302,
            headers: [("Location", location), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")])
    }

    static func methodNotAllowed(_ allowed: String) -> DevResponse {
        var response = DevResponse.text("Only \(allowed) is allowed here.\n", status: 405)
        response.headers.append(("Allow", allowed))
        return response
    }
}
