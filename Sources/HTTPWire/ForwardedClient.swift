package import Primitives

/// The forwarding fields of a request, unchanged. The values of repeated fields are in order and
/// joined by `, ` (RFC 9110 section 5.3).
package struct ForwardingFields {
    package var forwarded: [UInt8]?
    package var xForwardedFor: [UInt8]?
    package var xForwardedProto: [UInt8]?
    package var xForwardedHost: [UInt8]?
    package init() {}
}

/// The sender of a request, as far as trusted proxies name it.
package struct ClientResolution {
    package enum Scheme: Sendable, Hashable { case http, https }

    /// The rightmost hop that is not trusted; nil for a peer without an address (an untrusted Unix socket).
    package let client: NetworkAddress?
    package let scheme: Scheme
    /// The host named by a trusted proxy, which is a valid host and port; nil to use the request's own.
    package let forwardedHost: [UInt8]?
    /// The chain to forward, before the peer is appended; nil if it starts with the peer.
    package let chain: [UInt8]?
    /// The `Forwarded` value to forward; nil if the field is not sent.
    package let forwardedChain: [UInt8]?

    /// The peer of a connection.
    package enum Peer: Sendable, Hashable {
        case untrusted(NetworkAddress)
        case trusted(NetworkAddress)
        /// A connection without addresses. Trusted only if the configuration says that a proxy is there.
        case local(isTrusted: Bool)

        package init(_ address: NetworkAddress, in trusted: CIDRSet) {
            self = trusted.contains(address) ? .trusted(address) : .untrusted(address)
        }

        package var isTrusted: Bool {
            switch self {
            case .trusted: true
            case .untrusted: false
            case .local(let isTrusted): isTrusted
            }
        }

        package var address: NetworkAddress? {
            switch self {
            case .trusted(let address), .untrusted(let address): address
            case .local: nil
            }
        }
    }

    /// Resolves the client of a request. Ignores all fields from an untrusted peer.
    ///
    /// Reads `X-Forwarded-For` from right to left past trusted addresses. The first item that is not an address ends the search, and
    /// the client is the last address before it. With `X-Forwarded-For`, a `Forwarded` field is neither read nor forwarded:
    /// proxies that write the first usually pass the client's `Forwarded` through.
    package init(peer: Peer, connectionScheme: Scheme, trusted: CIDRSet, fields: ForwardingFields) {
        guard peer.isTrusted else {
            self.init(client: peer.address, scheme: connectionScheme)
            return
        }
        if let chain = fields.xForwardedFor, !chain.isEmpty {
            var walk = ForwardedWalk(trusted: trusted, start: peer.address)
            walk.walkList(chain.span.bytes)
            self.init(
                client: walk.client, scheme: fields.scheme(besides: walk.hops, at: walk.clientHop) ?? connectionScheme,
                forwardedHost: fields.host(besides: walk.hops, at: walk.clientHop), chain: chain)
        } else if let forwarded = fields.forwarded, !forwarded.isEmpty {
            var walk = ForwardedWalk(trusted: trusted, start: peer.address)
            walk.walkForwarded(forwarded.span.bytes)
            self.init(
                client: walk.client, scheme: walk.proto.flatMap { Scheme(forwarded.span.bytes.extracting($0)) } ?? connectionScheme,
                forwardedHost: walk.host.flatMap { validHost(forwarded.span.bytes.extracting($0)) }, forwardedChain: forwarded)
        } else {
            self.init(
                client: peer.address, scheme: fields.scheme(besides: 0, at: 0) ?? connectionScheme,
                forwardedHost: fields.host(besides: 0, at: 0))
        }
    }

    /// The last address of an `X-Forwarded-For` that is not trusted, or the first if all are. Nil if an item that counts is no address.
    package static func lastUntrusted(of chain: RawSpan, trusted: CIDRSet) -> NetworkAddress? {
        var elements = BackwardElements(chain, quoted: false)
        var client: NetworkAddress?
        while let range = elements.next() {
            guard case .address(let address)? = ForwardedNode(parsing: chain.extracting(range)) else { return nil }
            if !trusted.contains(address) { return address }
            client = address
        }
        return client
    }

    private init(
        client: NetworkAddress?, scheme: Scheme, forwardedHost: [UInt8]? = nil, chain: [UInt8]? = nil, forwardedChain: [UInt8]? = nil
    ) {
        self.client = client
        self.scheme = scheme
        self.forwardedHost = forwardedHost
        self.chain = chain
        self.forwardedChain = forwardedChain
    }

    /// The client as written in `X-Forwarded-For`; `unknown` without an address.
    package var clientText: String { client?.description ?? "unknown" }

    /// Appends the value of `X-Forwarded-For`: the chain, then the peer. `peerText` is the peer's address as text,
    /// which the connection keeps.
    package func appendForwardedFor(peerText: some Collection<UInt8>, to output: inout [UInt8]) {
        if let chain {
            output.append(contentsOf: chain)
            output.append(UInt8(ascii: ","))
            output.append(0x20)
        } else if forwardedChain != nil, let client, !client.description.utf8.elementsEqual(peerText) {
            // The chain came as `Forwarded`: forward the known client in the form that every app reads.
            output.append(contentsOf: client.description.utf8)
            output.append(UInt8(ascii: ","))
            output.append(0x20)
        }
        output.append(contentsOf: peerText)
    }

    /// Appends the value of `Forwarded` that continues a chain; nothing without one. An IPv6 peer is bracketed and
    /// quoted (RFC 7239 section 6.1).
    package func appendForwarded(peer: NetworkAddress?, to output: inout [UInt8]) {
        guard let forwardedChain else { return }
        output.append(contentsOf: forwardedChain)
        guard let peer else {
            output.append(contentsOf: ", for=unknown".utf8)
            return
        }
        output.append(contentsOf: (peer.isIPv4 ? ", for=\(peer)" : ", for=\"[\(peer)]\"").utf8)
    }
}

extension ForwardingFields {
    fileprivate func scheme(besides hops: Int, at index: Int) -> ClientResolution.Scheme? {
        guard let list = xForwardedProto, let range = Self.item(list.span.bytes, besides: hops, at: index) else { return nil }
        return ClientResolution.Scheme(list.span.bytes.extracting(range))
    }

    fileprivate func host(besides hops: Int, at index: Int) -> [UInt8]? {
        guard let list = xForwardedHost, let range = Self.item(list.span.bytes, besides: hops, at: index) else { return nil }
        return validHost(list.span.bytes.extracting(range))
    }

    /// The item of a list that belongs to the hop `index` from the right of a chain of `hops`.
    ///
    /// Assumes that each proxy added one item if the list is as long as the chain. Otherwise, only the last item is known, which the
    /// nearest proxy added.
    private static func item(_ list: RawSpan, besides hops: Int, at index: Int) -> Range<Int>? {
        var count = 0
        var counter = BackwardElements(list, quoted: false)
        while counter.next() != nil { count += 1 }
        var elements = BackwardElements(list, quoted: false)
        var remaining = count == hops && index < hops ? index : 0
        while let range = elements.next() {
            if remaining == 0 { return range }
            remaining -= 1
        }
        return nil
    }

}

extension ClientResolution.Scheme {
    fileprivate init?(_ text: RawSpan) {
        if text.equalsIgnoringCase("https") || text.equalsIgnoringCase("wss") {
            self = .https
        } else if text.equalsIgnoringCase("http") || text.equalsIgnoringCase("ws") {
            self = .http
        } else {
            return nil
        }
    }
}

/// Nil unless the text is a valid `Host` value: a name or address, optionally with a port (RFC 9110 section 7.2).
private func validHost(_ text: RawSpan) -> [UInt8]? {
    guard !text.isEmpty, text.byteCount <= 255 + 6 else { return nil }
    let isValid = text.allSatisfy {
        $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") || RequestPath.isUnreserved($0)
    }
    return isValid ? Array(text) : nil
}

/// The search through the hops of a chain from right to left.
private struct ForwardedWalk {
    let trusted: CIDRSet
    private(set) var client: NetworkAddress?
    /// The number of items in the chain, and the index from the right of the one that named the client.
    private(set) var hops = 0
    private(set) var clientHop = 0
    /// Where the element that named the client has them.
    private(set) var proto: Range<Int>?
    private(set) var host: Range<Int>?

    init(trusted: CIDRSet, start: NetworkAddress?) {
        self.trusted = trusted
        client = start
    }

    mutating func walkList(_ chain: RawSpan) {
        var elements = BackwardElements(chain, quoted: false)
        var walking = true
        while let range = elements.next() {
            if walking { walking = step(chain.extracting(range)) }
            hops += 1
        }
    }

    mutating func walkForwarded(_ chain: RawSpan) {
        var elements = BackwardElements(chain, quoted: true)
        while let range = elements.next() {
            guard let element = ForwardedElement(chain, in: range) else { return }
            // Scheme and host of this element belong to the same hop as its node.
            proto = element.proto
            host = element.host
            guard let node = element.node, step(chain.extracting(node)) else { return }
            hops += 1
        }
    }

    /// Processes a hop; returns false if the search ends with it.
    private mutating func step(_ text: RawSpan) -> Bool {
        guard case .address(let address)? = ForwardedNode(parsing: text) else { return false }
        client = address
        clientHop = hops
        return trusted.contains(address)
    }
}
