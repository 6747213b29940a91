import TokenCrypto

/// The part of a session's ticket that only the browser's cookie has. A store needs it to open the session.
///
/// Says nothing about a session, so all of them compare as equal.
package struct TicketSecret: Sendable, Hashable {
    /// 32 bytes; empty: unknown.
    package let bytes: [UInt8]
    package static let size = 32
    package static let unknown = TicketSecret([])

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package static func random() -> TicketSecret { TicketSecret(SecureRandom.bytes(size)) }

    package static func == (_: TicketSecret, _: TicketSecret) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}

extension TicketSecret: Redacted {}

extension Session {
    /// Takes the secret of the ticket that it was opened with.
    package mutating func take(_ secret: TicketSecret) { ticketSecret = secret }
}
