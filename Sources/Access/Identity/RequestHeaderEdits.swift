package import Config
package import HTTPWire
package import Sessions

/// A header that a route may not edit, with the reason.
package struct HeaderEditError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// Controls message framing or the connection.
        case framing
        /// Set by the gateway on every request.
        case ours
        /// Carries the user's identity, or belongs to a profile that does.
        case identity
        /// The gateway removes its own cookies and keeps the app's.
        case cookie
        /// Controlled by `cors`.
        case crossOrigin
        case invalidName
        case invalidValue
        /// The same header twice, or both set and removed.
        case repeated
        case template(HeaderTemplateError)
    }
    package let name: String
    package let reason: Reason
    package init(name: String, reason: Reason) {
        self.name = name
        self.reason = reason
    }
    package var description: String { "\(name): \(reason)" }
}

/// The headers that edits may not change, in any spelling.
package enum UneditableHeaders {
    private static let framing = FoldedNameSet(
        names: [
            "Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "TE", "Trailer", "Upgrade", "HTTP2-Settings",
            "Content-Length", "Proxy-Authenticate", "Proxy-Authorization", "Expect", "Host", "Max-Forwards", "Date", "Sec-WebSocket-Accept",
        ])
    private static let ours = FoldedNameSet(
        names: ForwardedNames.alwaysReplaced + ["Tracestate"], prefixes: ["X-Forwarded-"])
    /// The names under which many apps expect the provider's tokens.
    private static let tokens = FoldedNameSet(names: ["X-Forwarded-Access-Token", "X-Forwarded-Id-Token"])
    private static let profiles = FoldedNameSet(names: IdentityProfiles.allNames)
    private static let requestCookie = FoldedNameSet(names: ["Cookie"])
    private static let setCookie = FoldedNameSet(names: ["Set-Cookie"])
    private static let crossOrigin = FoldedNameSet(names: [String](), prefixes: ["Access-Control-"])

    /// Returns why a request header cannot be edited; nil if it can. `identity` contains the headers that `identity` configures.
    package static func reason(inRequests name: String, identity: FoldedNameSet) -> HeaderEditError.Reason? {
        if !isToken(name) { return .invalidName }
        if framing.contains(name) { return .framing }
        if requestCookie.contains(name) { return .cookie }
        if profiles.contains(name) || identity.contains(name) { return .identity }
        return ours.contains(name) && !tokens.contains(name) ? .ours : nil
    }

    /// Returns why a response header cannot be edited. `Set-Cookie` may be removed: this removes the app's cookies and keeps the gateway's.
    package static func reason(inResponses name: String, isSet: Bool) -> HeaderEditError.Reason? {
        if !isToken(name) { return .invalidName }
        if framing.contains(name) { return .framing }
        if isSet, setCookie.contains(name) { return .cookie }
        return crossOrigin.contains(name) ? .crossOrigin : nil
    }

    /// Returns whether the name is a token (RFC 9110 section 5.6.2).
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte >= 0x41
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    /// Returns whether the value is valid in a field line: no control characters, and no white space at its ends.
    package static func isValue(_ value: String) -> Bool {
        !value.isEmpty && !HeaderText.holdsControl(value) && !HeaderText.hasOuterWhiteSpace(value)
    }
}

/// The compiled header edits of a route's requests.
package struct RequestHeaderEdits: Sendable {
    /// Names that clients may not send: headers that are set or removed.
    package let names: [String]
    private let lines: HeaderLines

    /// Throws for errors that the linter reports.
    package init(_ edits: HeaderEditsConfiguration, identity: IdentityConfiguration) throws(HeaderEditError) {
        let own = FoldedNameSet(names: IdentityHeaders.configuredNames(identity))
        var seen: Set<[UInt8]> = []
        for name in edits.remove + edits.set.map(\.name) {
            if let reason = UneditableHeaders.reason(inRequests: name, identity: own) { throw HeaderEditError(name: name, reason: reason) }
            guard seen.insert(name.utf8.map(FoldedName.fold)).inserted else { throw HeaderEditError(name: name, reason: .repeated) }
        }
        var lines: [(name: String, template: HeaderTemplate)] = []
        for (name, value) in edits.set {
            do {
                lines.append((name, try HeaderTemplate(value)))
            } catch {
                throw HeaderEditError(name: name, reason: .template(error))
            }
        }
        names = edits.remove + edits.set.map(\.name)
        self.lines = HeaderLines(lines: lines, showsUnverifiedEmail: identity.unverifiedEmail)
    }

    package var usesAccessToken: Bool { lines.usesAccessToken }
    package var claimPaths: [String] { lines.claimPaths }

    /// Renders the lines for a session; without one, only lines without user data.
    package func render(session: Session?) -> RenderedIdentity { lines.render(session: session) }
}
