package import Config
package import HTTPWire
package import Sessions

/// A header that was not sent as its template says, for the log. Contains no values except the names of the first few groups.
package struct HeaderOmission: Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// The value contains a control character, so the header is not sent.
        case controlCharacter
        /// The value starts or ends with white space, which receivers remove, so the header is not sent.
        case outerWhiteSpace
        /// The number of list items that contain the separator or a control character, are empty, or start or end with white space. The
        /// header is sent without them.
        case itemsLeftOut(Int)

        package var words: String {
            switch self {
            case .controlCharacter: "the value contains a control character, so the header is not sent"
            case .outerWhiteSpace: "the value starts or ends with white space, so the header is not sent"
            case .itemsLeftOut(let count): "list items left out because a header cannot carry them: \(count)"
            }
        }
    }
    package let header: String
    package let reason: Reason
    /// The names of the first few groups that were left out.
    package let groups: [String]
    package init(header: String, reason: Reason, groups: [String] = []) {
        self.header = header
        self.reason = reason
        self.groups = groups
    }
}

/// The rendered identity headers of a session, and the omissions.
package struct RenderedIdentity: Sendable, Hashable {
    /// `Name: value` lines, each terminated by CR LF; empty without a session.
    package var bytes: [UInt8] = []
    package var omissions: [HeaderOmission] = []
    package init() {}
}

/// The identity headers of a configuration.
package struct IdentityHeaders: Sendable {
    /// Headers that clients may not send on any route: those that this configuration or any known profile sets, the
    /// assertion, and the forwarding headers that the gateway always writes itself.
    package let names: [String]
    /// `names` without the forwarding headers.
    package let identityNames: [String]
    /// `names` as a set, for requests from a trusted proxy.
    package let strippedFromTrusted: FoldedNameSet
    /// `names` and every forwarding header as a set, for requests from other peers.
    package let strippedFromUntrusted: FoldedNameSet
    private let lines: HeaderLines

    /// Throws if a template cannot be parsed, which a validated configuration rules out. `additional` names further headers
    /// that the gateway sets itself.
    package init(_ configuration: IdentityConfiguration, additional: [String] = []) throws(HeaderTemplateError) {
        let headers = Self.configured(configuration)
        var lines: [(name: String, template: HeaderTemplate)] = []
        for header in headers { lines.append((header.name, try HeaderTemplate(header.template))) }
        self.lines = HeaderLines(lines: lines, showsUnverifiedEmail: configuration.unverifiedEmail)
        var names: [String] = []
        var seen: Set<[UInt8]> = []
        for name in headers.map(\.name) + IdentityProfiles.allNames + additional + ForwardedNames.alwaysReplaced
        where seen.insert(name.utf8.map(FoldedName.fold)).inserted {
            names.append(name)
        }
        self.names = names
        let forwarding = FoldedNameSet(names: ForwardedNames.alwaysReplaced)
        identityNames = names.filter { !forwarding.contains($0) }
        strippedFromTrusted = FoldedNameSet(names: names)
        strippedFromUntrusted = FoldedNameSet(
            names: names + ForwardedNames.droppedFromUntrusted, prefixes: ForwardedNames.droppedPrefixesFromUntrusted)
    }

    /// The names of the headers that a configuration sets: the identity headers and the assertion.
    package static func configuredNames(_ configuration: IdentityConfiguration) -> [String] {
        configured(configuration).map(\.name) + [configuration.assertion.header]
    }

    /// The names and templates of the configured identity headers, in order.
    package static func configured(_ configuration: IdentityConfiguration) -> [(name: String, template: String)] {
        switch configuration.headers {
        case .profiles(let profiles): profiles.flatMap(IdentityProfiles.headers)
        case .templates(let templates): templates
        }
    }

    /// True if a header carries the access token; only then does a session store it.
    package var usesAccessToken: Bool { lines.usesAccessToken }

    /// The claim paths that headers use.
    package var claimPaths: [String] { lines.claimPaths }

    /// Renders the lines for a session; none without a session. A header without a value is not sent.
    package func render(session: Session?) -> RenderedIdentity {
        guard let session else { return RenderedIdentity() }
        return lines.render(session: session)
    }
}
