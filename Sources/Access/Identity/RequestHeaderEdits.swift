package import Config
package import HTTPWire
package import Sessions

/// A header that a route may not edit, and why.
package struct HeaderEditError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// Part of how messages are framed and connections are kept.
        case framing
        /// Written anew by the gateway on every request.
        case ours
        /// Says who the person is, or is the header of a profile that does.
        case identity
        /// The gateway takes its own cookies out, and keeps those of the app apart.
        case cookie
        /// Decided for each page by `cors`.
        case crossOrigin
        case invalidName
        case invalidValue
        /// The same header twice, or set and removed.
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

/// The headers that edits keep their hands off, asked with any spelling.
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

    /// Why a request's header cannot be edited; nil when it can. `identity`: what this configuration's `identity` sets.
    package static func reason(inRequests name: String, identity: FoldedNameSet) -> HeaderEditError.Reason? {
        if !isToken(name) { return .invalidName }
        if framing.contains(name) { return .framing }
        if requestCookie.contains(name) { return .cookie }
        if profiles.contains(name) || identity.contains(name) { return .identity }
        return ours.contains(name) && !tokens.contains(name) ? .ours : nil
    }

    /// The same for a response. `Set-Cookie` may be removed: that takes the app's away and leaves ours.
    package static func reason(inResponses name: String, isSet: Bool) -> HeaderEditError.Reason? {
        if !isToken(name) { return .invalidName }
        if framing.contains(name) { return .framing }
        if isSet, setCookie.contains(name) { return .cookie }
        return crossOrigin.contains(name) ? .crossOrigin : nil
    }

    /// RFC 9110 section 5.6.2.
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte >= 0x41
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    /// True for a value that can stand in a field line: no control characters, nothing at its ends that receivers cut off.
    package static func isValue(_ value: String) -> Bool {
        !value.isEmpty && !HeaderText.holdsControl(value) && !HeaderText.hasOuterWhiteSpace(value)
    }
}

/// The header edits of a route's requests, compiled.
package struct RequestHeaderEdits: Sendable {
    /// What no client's header passes under: the names that are removed, and those that are set.
    package let names: [String]
    private let lines: HeaderLines

    /// Throws for what the linter reports as an error.
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

    /// The lines for a session, or for nobody: then only those without a value of a person.
    package func render(session: Session?) -> RenderedIdentity { lines.render(session: session) }
}
