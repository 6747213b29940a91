import Primitives
package import NIOCore

/// A protocol that a request may upgrade its connection to (RFC 9110 section 7.8).
///
/// A class, so that requests without an upgrade store only one pointer.
package final class UpgradeProtocol: Sendable {
    /// The name in lower case: `websocket`, `spdy/3.1`.
    package let name: String
    /// `Connection` and `Upgrade` for the upstream and for the client.
    package let lines: ByteBuffer

    package static let webSocket = UpgradeProtocol(checked: "websocket")
    package var isWebSocket: Bool { name == "websocket" }

    /// Nil unless the name is a protocol that may be forwarded.
    package convenience init?(_ name: String) {
        guard !Self.isForbidden(name), !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }) else {
            return nil
        }
        self.init(checked: name.lowercased())
    }

    private init(checked name: String) {
        self.name = name
        lines = ByteBuffer(string: "Connection: Upgrade\r\nUpgrade: \(name)\r\n")
    }

    /// Returns whether the protocol is another version of HTTP, or TLS: the gateway could not check requests inside such a tunnel
    /// (CVE-2021-21295, "h2c smuggling").
    package static func isForbidden(_ name: String) -> Bool {
        let base = name.lowercased().split(separator: "/", omittingEmptySubsequences: false)[0]
        return ["h2c", "h2", "h3", "http", "https", "tls", "ssl", "spdy+tls"].contains(base)
    }

    fileprivate func matches(_ bytes: RawSpan) -> Bool {
        let wanted = name.utf8.span
        guard wanted.count == bytes.byteCount else { return false }
        for index in wanted.indices {
            let byte = bytes[index]
            if (byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) != wanted[index] { return false }
        }
        return true
    }
}

extension RequestHead {
    /// The protocol that the request upgrades to, if it is one of these. Requires an HTTP/1.1 request without a body, whose `Connection`
    /// lists `upgrade` and whose `Upgrade` names exactly this protocol. A WebSocket handshake is a GET (RFC 6455 section 4.1).
    package func upgrade(among allowed: [UpgradeProtocol]) -> UpgradeProtocol? {
        guard minorVersion == 1, framing == .none, has(.upgrade), has(.connection) else { return nil }
        let bytes = bytes.byteSpan
        let upgrades = fields.filter { $0.known == .upgrade }
        guard upgrades.count == 1 else { return nil }
        let asked = allowed.first { $0.matches(upgrades[0].value(in: bytes)) }
        guard let asked, !asked.isWebSocket || method == .get else { return nil }
        let isNamed = fields.contains { $0.known == .connection && Self.lists("upgrade", in: $0.value(in: bytes)) }
        return isNamed ? asked : nil
    }
}

extension ResponseHead {
    /// Returns whether `Upgrade` names exactly this protocol.
    package func upgrades(to upgrade: UpgradeProtocol) -> Bool {
        let lines = fields.filter { $0.known == .upgrade }
        return lines.count == 1 && upgrade.matches(lines[0].value(in: bytes.byteSpan))
    }
}
