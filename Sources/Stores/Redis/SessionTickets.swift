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
    private static let longestCookie = 200
    /// As many as fit into `longestCookie`.
    private static let mostDigests = 4

    /// The contents of a ticket.
    struct Ticket {
        let id: [UInt8]
        let secret: TicketSecret
        /// The shared digests of the session when the ticket was made. A hint which markers to read: the session decides.
        let digests: [RevocationDigest]
    }

    private let tickets: SealingKeyRing
    private let sessions: SaltedKeyRing
    private let details: SealingKeyRing
    private let associatedData: [UInt8]

    init(keys: [[UInt8]], cookieName: String, publicURL: String) {
        sessions = SaltedKeyRing(keys: keys, purpose: "stored session")
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
        return Ticket(
            id: Array(opened[..<secretStart]), secret: TicketSecret(Array(opened[secretStart..<hintStart])),
            digests: Self.digests(opened[hintStart...]))
    }

    /// `bytes`: whole digests.
    private static func digests(_ bytes: ArraySlice<UInt8>) -> [RevocationDigest] {
        var digests: [RevocationDigest] = []
        digests.reserveCapacity(bytes.count / RevocationDigest.size)
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: RevocationDigest.size) {
            if let digest = RevocationDigest(bytes: bytes[start..<start + RevocationDigest.size]) { digests.append(digest) }
        }
        return digests
    }

    // MARK: Sessions

    func seal(_ session: Session, _ digests: [RevocationDigest]) -> [UInt8] {
        let digests = digests.prefix(Int(UInt8.max))
        let bytes = [UInt8(digests.count)] + digests.flatMap(\.bytes) + SessionCodec.encode(session)
        return sessions.seal(bytes, salt: session.ticketSecret.bytes, associatedData: associatedData + session.id)
    }

    /// The session, and its shared digests, made with the first of `session.keys` at the time. nil: nobody with `session.keys` and this ticket
    /// has sealed it.
    func open(_ sealed: [UInt8], id: [UInt8], secret: TicketSecret) -> (session: Session, digests: [RevocationDigest])? {
        guard let opened = sessions.open(sealed, salt: secret.bytes, associatedData: associatedData + id), let count = opened.first,
            case let start = 1 + Int(count) * RevocationDigest.size, start < opened.count,
            var session = SessionCodec.decode(opened.span.bytes.extracting(droppingFirst: start)), session.id == id
        else { return nil }
        session.take(secret)
        return (consume session, Self.digests(opened[1..<start]))
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
