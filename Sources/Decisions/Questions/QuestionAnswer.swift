package import NIOCore

/// The answer to a question whose request may not pass.
package struct QuestionAnswer: Sendable {
    package var status: Int
    package var fields: [(name: String, value: String)] = []
    package var body = ByteBuffer()

    /// The address at which the user can sign in, or do what else the route demands.
    package static let location = "X-Gateway-Location"
    /// The same, for a request that a browser should be redirected for.
    package static let redirect = "X-Gateway-Redirect"

    /// Turns an answer of the gateway into one of the statuses that the dialect knows. Never 200.
    ///
    /// `lines`: complete field lines. `publicURL` completes the paths in them, since proxies resolve them against their own requests.
    package init(_ dialect: QuestionDialect, status: Int, lines: String, body: ByteBuffer, publicURL: String) {
        var location: String?
        var next: String?
        var leads = false
        for line in lines.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let name = String(line[..<colon])
            let value = String(line[line.index(after: colon)...].drop { $0 == " " })
            switch name.lowercased() {
            case "location": location = value.hasPrefix("/") ? publicURL + value : value
            case "x-gateway-location": next = value.hasPrefix("/") ? publicURL + value : value
            case "x-gateway-redirect": leads = true
            default: fields.append((name, value))
            }
        }
        let isRedirect = (300..<400).contains(status) && location != nil
        if dialect == .nginx {
            self.status = isRedirect || status == 401 ? 401 : 403
            // nginx drops the body, and the type would be that of nothing.
            fields.removeAll { $0.name.lowercased() == "content-type" }
            if self.status == 401, let target = location ?? next {
                fields.append((Self.location, target))
                if isRedirect || leads { fields.append((Self.redirect, target)) }
            }
            return
        }
        self.status = isRedirect ? 302 : status == 401 ? 401 : 403
        if isRedirect, let location { fields.append(("Location", location)) }
        // The text of a success is none of a refusal.
        if (200..<300).contains(status) { fields.removeAll { $0.name.lowercased() == "content-type" } } else { self.body = body }
    }
}
