import Primitives
import HTTPWire

/// The client whose share of a bounded resource a request uses: its address, or the /64 of an IPv6 address.
package struct ClientShare: Sendable {
    package let key: String

    /// `address`: as text, or another word where there is none (a Unix socket).
    package init(_ address: some Sequence<UInt8>) {
        let text = String(decoding: Array(address), as: UTF8.self)
        key = NetworkAddress(text)?.subscriber.description ?? text
    }

    /// The /48 around the share of an IPv6 client: the most that a provider gives to one customer. Nil for any other share.
    static func site(of key: String) -> String? {
        guard let address = NetworkAddress(key), !address.isIPv4 else { return nil }
        return address.site.description
    }
}
