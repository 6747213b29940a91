package import Config
package import HTTPWire
package import Sessions

/// A header that was not sent as its template says, for the log. Of values only the names of groups, and of those only the first few.
package struct HeaderOmission: Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// The value holds a control character: the header is not sent.
        case controlCharacter
        /// The value starts or ends with white space, which receivers cut off: the header is not sent.
        case outerWhiteSpace
        /// So many items of the list hold the separator or a control character, are empty, or start or end with white space: the header
        /// is sent without them.
        case itemsLeftOut(Int)

        package var words: String {
            switch self {
            case .controlCharacter: "the value holds a control character: the header is not sent"
            case .outerWhiteSpace: "the value starts or ends with white space: the header is not sent"
            case .itemsLeftOut(let count): "items that cannot be part of a list are left out: \(count)"
            }
        }
    }
    package let header: String
    package let reason: Reason
    /// The first few groups that were left out, as they are.
    package let groups: [String]
    package init(header: String, reason: Reason, groups: [String] = []) {
        self.header = header
        self.reason = reason
        self.groups = groups
    }
}

/// The identity block of one session: complete header lines, and what had to be left out.
package struct RenderedIdentity: Sendable, Hashable {
    /// `Name: value` lines, each ended by CR LF; empty for nobody.
    package var bytes: [UInt8] = []
    package var omissions: [HeaderOmission] = []
    package init() {}
}

/// The identity headers of a configuration.
package struct IdentityHeaders: Sendable {
    /// Every header that no client may send on any route: what this configuration can set, what any known profile sets, the
    /// assertion, and the forwarding headers that are always written anew.
    package let names: [String]
    /// `names`, asked per client header, for a request from a trusted proxy.
    package let strippedFromTrusted: FoldedNameSet
    /// `names` and every forwarding header, for a request from anyone else.
    package let strippedFromUntrusted: FoldedNameSet
    private let lines: HeaderLines

    /// Throws for a template that cannot be parsed, which a validated configuration does not have. `additional` names further headers
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
        strippedFromTrusted = FoldedNameSet(names: names)
        strippedFromUntrusted = FoldedNameSet(
            names: names + ForwardedNames.droppedFromUntrusted, prefixes: ForwardedNames.droppedPrefixesFromUntrusted)
    }

    /// The names of what a configuration sets: the identity headers and the assertion.
    package static func configuredNames(_ configuration: IdentityConfiguration) -> [String] {
        configured(configuration).map(\.name) + [configuration.assertion.header]
    }

    /// Names and templates of the identity headers that a configuration sets, in order.
    package static func configured(_ configuration: IdentityConfiguration) -> [(name: String, template: String)] {
        switch configuration.headers {
        case .profiles(let profiles): profiles.flatMap(IdentityProfiles.headers)
        case .templates(let templates): templates
        }
    }

    /// True when a header carries the access token: only then does a session keep one.
    package var usesAccessToken: Bool { lines.usesAccessToken }

    /// The paths of the claims that headers carry.
    package var claimPaths: [String] { lines.claimPaths }

    /// The lines for a session; none for nobody. A header whose value is missing is not sent.
    package func render(session: Session?) -> RenderedIdentity {
        guard let session else { return RenderedIdentity() }
        return lines.render(session: session)
    }
}
