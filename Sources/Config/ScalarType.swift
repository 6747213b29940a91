package import Primitives

/// The format of a scalar.
package enum ScalarType: Sendable {
    case text
    /// Text that is never shown.
    case secret
    /// Text that the provider assigned. Not secret, but only requests to the provider need it.
    case credential
    case boolean
    case integer(ClosedRange<Int>)
    /// Milliseconds.
    case duration(minimum: Int64)
    /// Bytes.
    case size(ClosedRange<Int>)
    case words([String])
    case version
    case flow
    case listen
    case upstream
    /// A host name in a certificate.
    case serverName
    /// The path of a health check.
    case healthPath
    case publicURL
    /// An https origin, or http on loopback.
    case origin
    case url
    case issuer
    case network
    case path
    /// `stdout`, `stderr` or an absolute path.
    case logDestination
    case pathPrefix
    case pathPattern
    case hostPattern
    case method
    case scope
    /// A value of `acr`, as `acr_values` and a challenge can carry it.
    case contextClass
    case parameterName
    /// A string that must be written as a string.
    case parameterValue
    case sessionKey
    /// A key of `accounts.keys`.
    case accountKey
    /// `sqlite:PATH`, or the URL of a PostgreSQL database.
    case accountStore
    /// `smtp://` or `smtps://`.
    case mailURL
    /// A mail address, with or without a name.
    case mailSender
    /// The domain of mail addresses.
    case mailDomain
    case cookieName
    case cookieDomain
    case headerName
    case template
    case emailPattern
    /// `cookie`, or the URL of a store of sessions.
    case store
    /// The URL of a store of sessions.
    case sessionStoreURL
    /// An origin, or `*`.
    case pageOrigin
    /// A valid header value.
    case headerValue
    /// The path of an image, or its https URL.
    case logo
    /// `#0b5d57`, with or without the `#`.
    case color
    /// The target of a link on a page: an http or https URL, a path of the site, or `mailto:`.
    case link
    /// A protocol name of the `Upgrade` header, such as `websocket`, `mqtt` or `spdy/3.1` (RFC 9110 section 7.8).
    case upgradeProtocol

    static func choice<Choice: CaseIterable & RawRepresentable<String>>(_ type: Choice.Type) -> ScalarType {
        .words(type.allCases.map(\.rawValue))
    }

    /// True if values of this type must never be shown.
    package var isSecret: Bool {
        switch self {
        case .secret, .sessionKey, .accountKey: true
        default: false
        }
    }

    /// True for URLs that may hold a password beside parts that may be shown.
    package var isStoreURL: Bool {
        switch self {
        case .accountStore, .mailURL, .store, .sessionStoreURL: true
        default: false
        }
    }

    /// The type in a message.
    package var noun: String {
        switch self {
        case .boolean: "`true` or `false`"
        case .integer: "a number"
        case .duration: "a duration"
        case .size: "a size"
        case .words(let words): Self.alternatives(words)
        case .version: "a version number"
        case .listen: "an address"
        case .upstream, .publicURL, .origin, .url, .issuer, .store, .sessionStoreURL, .pageOrigin, .accountStore, .mailURL: "a URL"
        case .network: "a network"
        case .path, .pathPrefix, .pathPattern, .healthPath: "a path"
        case .logo: "a path or a URL"
        case .color: "a color"
        case .link: "a link"
        default: "a string"
        }
    }

    static func alternatives(_ words: [String]) -> String {
        let quoted = words.map { "`\($0)`" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }
}

/// A parsed scalar.
package enum ScalarValue: Sendable, Equatable {
    case text(String)
    case boolean(Bool)
    case integer(Int)
    case milliseconds(Int64)
    case bytes(Int)
    case address(ListenAddress)
    case upstream(UpstreamAddress)
    case origin(Origin)
    case key([UInt8])
}
