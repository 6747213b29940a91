import Primitives
import HTTPWire

/// Nothing an untrusted peer says is believed; what is said through trusted proxies resolves to the same client at the next
/// gateway. Lines of the input: `X-Forwarded-For`, `Forwarded`, `X-Forwarded-Proto`, `X-Forwarded-Host`.
enum ForwardedTarget {
    private static let trusted = CIDRSet(["10.0.0.0/8", "fd00::/8"]) ?? CIDRSet()
    private static let peer = NetworkAddress(ipv4: 0x0A00_0001)
    private static let stranger = NetworkAddress(ipv4: 0xC000_0201)

    static func check(_ input: [UInt8]) throws(Broken) {
        let lines = input.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false).map(Array.init)
        try checkAddresses(lines)
        try resolve(lines, .untrusted(stranger)) { (client) throws(Broken) in
            try hold(client.client == stranger && client.scheme == .http, "an untrusted peer is believed")
            try hold(client.forwardedHost == nil && client.chain == nil && client.forwardedChain == nil, "an untrusted chain goes on")
        }
        try resolve(lines, .trusted(peer)) { (client) throws(Broken) in try checkTrusted(client, lines) }
        try resolve(lines, .local(isTrusted: true)) { (client) throws(Broken) in
            if let address = client.client {
                try hold(client.chain != nil || client.forwardedChain != nil, "\(address) comes from nowhere")
            }
        }
    }

    private static func checkTrusted(_ client: ClientResolution, _ lines: [[UInt8]]) throws(Broken) {
        guard let address = client.client else { throw Broken("the peer's address is lost") }
        if let host = client.forwardedHost {
            try hold(
                !host.isEmpty && host.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/@,;\"\\".utf8.contains($0) }, "a forwarded host is none")
        }
        var chain: [UInt8] = []
        client.appendForwardedFor(peerText: Array(peer.description.utf8), to: &chain)
        // What we send on, read by a gateway that trusts us and what we trust, names the same client.
        try resolve([chain], .trusted(peer)) { (next) throws(Broken) in
            try hold(next.client == address, "the next gateway takes \(next.clientText) for \(address)")
        }
        guard client.forwardedChain != nil else { return }
        var forwarded: [UInt8] = []
        client.appendForwarded(peer: peer, to: &forwarded)
        try resolve([[], forwarded], .trusted(peer)) { (next) throws(Broken) in
            try hold(next.client == address, "the next gateway reads another client from Forwarded")
        }
    }

    private static func resolve(
        _ lines: [[UInt8]], _ peer: ClientResolution.Peer, _ check: (ClientResolution) throws(Broken) -> Void
    ) throws(Broken) {
        func line(_ index: Int) -> [UInt8]? { index < lines.count && !lines[index].isEmpty ? lines[index] : nil }
        var fields = ForwardingFields()
        fields.xForwardedFor = line(0)
        fields.forwarded = line(1)
        fields.xForwardedProto = line(2)
        fields.xForwardedHost = line(3)
        try check(ClientResolution(peer: peer, connectionScheme: .http, trusted: trusted, fields: fields))
    }

    /// Every piece of the input, read as an address.
    private static func checkAddresses(_ lines: [[UInt8]]) throws(Broken) {
        for piece in lines.prefix(2).flatMap({ $0.split(separator: UInt8(ascii: ",")) }) {
            guard let address = NetworkAddress(text(piece)) else { continue }
            try hold(NetworkAddress(address.description) == address, "\(address) is read as another address")
            try hold(CIDRBlock(address.description)?.contains(address) == true, "\(address) is not in its own block")
        }
    }
}
