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
}
