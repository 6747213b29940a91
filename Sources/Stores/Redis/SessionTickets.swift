import Primitives
import Sessions
import TokenCrypto

/// Seals what the browser and the store hold.
///
/// The browser holds a ticket: the session's id and a secret, sealed under `session.keys`. The store holds the session, sealed under a key that
/// is made from both the secret and `session.keys`.
struct SessionTickets: Sendable {
    private static let idSize = 16
    /// Refused without a look: no ticket is longer.
    static let longestCookie = 200
    /// As many as fit into `longestCookie`.
    static let mostDigests = 4

    /// What a ticket says, all of it sealed by this gateway.
    struct Ticket {
        let id: [UInt8]
        let secret: TicketSecret
        /// What the session could be ended under with others when the ticket was made. Only a hint what to ask for: the session decides.
        let digests: [RevocationDigest]
    }

    private let keys: [[UInt8]]
    private let tickets: SealingKeyRing
    private let details: SealingKeyRing
    private let associatedData: [UInt8]

    init(keys: [[UInt8]], cookieName: String, publicURL: String) {
        self.keys = keys
        tickets = SealingKeyRing(keys: keys, purpose: "session ticket")
        details = SealingKeyRing(keys: keys, purpose: "session details")
        // No cookie name holds a line feed.
        associatedData = Array("1\n\(cookieName)\n\(publicURL)\n".utf8)
    }

    // MARK: Tickets

    func ticket(for session: Session, _ digests: [RevocationDigest]) -> String {
        let hints = digests.prefix(Self.mostDigests).flatMap(\.bytes)
        return Base64URL.encode(tickets.seal(session.id + session.ticketSecret.bytes + hints, associatedData: associatedData))
    }

    /// nil: it is no ticket of this gateway.
    func open(_ cookie: RawSpan) -> Ticket? {
        let (secretStart, hintStart) = (Self.idSize, Self.idSize + TicketSecret.size)
        guard cookie.byteCount <= Self.longestCookie, let bytes = Base64URL.decode(cookie),
            let opened = tickets.open(bytes, associatedData: associatedData), opened.count >= hintStart,
            (opened.count - hintStart).isMultiple(of: RevocationDigest.size)
        else { return nil }
        let digests = stride(from: hintStart, to: opened.count, by: RevocationDigest.size).compactMap {
            RevocationDigest(bytes: opened[$0..<$0 + RevocationDigest.size])
        }
        return Ticket(id: Array(opened[..<secretStart]), secret: TicketSecret(Array(opened[secretStart..<hintStart])), digests: digests)
    }

    // MARK: Sessions

    func seal(_ session: Session) -> [UInt8] {
        ring(session.ticketSecret).seal(SessionCodec.encode(session), associatedData: associatedData + session.id)
    }

    /// nil: nobody with `session.keys` and this ticket has sealed it.
    func open(_ sealed: [UInt8], id: [UInt8], secret: TicketSecret) -> Session? {
        guard let opened = ring(secret).open(sealed, associatedData: associatedData + id), let session = SessionCodec.decode(opened),
            session.id == id
        else { return nil }
        return session.with(ticketSecret: secret)
    }

    private func ring(_ secret: TicketSecret) -> SealingKeyRing {
        let derived = keys.map {
            HKDF.sha256(key: $0, salt: secret.bytes, info: Array("gateway stored session v1".utf8), length: 32)
        }
        return SealingKeyRing(keys: derived, purpose: "stored session")
    }

    // MARK: Details

    /// What lists of sessions need, bound to the name of the session.
    func seal(details text: [UInt8], of reference: String) -> [UInt8] {
        details.seal(text, associatedData: associatedData + Array(reference.utf8))
    }

    func open(details sealed: [UInt8], of reference: String) -> [UInt8]? {
        details.open(sealed, associatedData: associatedData + Array(reference.utf8))
    }
}
