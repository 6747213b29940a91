import Accounts
import TokenCrypto

/// The client that signed in, for lists of sessions. Nothing is decided by it: the client chose its user agent.
package struct SessionClient: Sendable, Equatable {
    package static let longestUserAgent = 256
    package static let longestAddress = 64

    /// At most `longestUserAgent` bytes; nil: the client sent none.
    package let userAgent: String?
    /// At most `longestAddress` bytes; nil: it has none, as on a Unix socket.
    package let address: String?

    /// Cuts what is too long, and drops control characters.
    package init(userAgent: String?, address: String?) {
        self.userAgent = Self.bounded(userAgent, Self.longestUserAgent)
        self.address = Self.bounded(address, Self.longestAddress)
    }

    private static func bounded(_ text: String?, _ limit: Int) -> String? {
        guard let text else { return nil }
        var kept = String.UnicodeScalarView()
        var size = 0
        for scalar in text.unicodeScalars where scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value) {
            size += UTF8.width(scalar)
            guard size <= limit else { break }
            kept.append(scalar)
        }
        return kept.isEmpty ? nil : String(kept)
    }
}

/// A session as lists show it: no identity, no token, nothing that opens it. Times are Unix milliseconds.
package struct SessionRecord: Sendable, Equatable {
    /// The most records that one list holds; the most recently used ones count.
    package static let listLimit = 1_000

    /// `Session.reference`.
    package let id: String
    package let uid: String
    package let createdAt: Int64
    package var lastSeenAt: Int64
    /// The provider's id, and the issuer that it had at the sign-in.
    package let provider: String
    package let issuer: String
    package let client: SessionClient

    package init(
        id: String, uid: String, createdAt: Int64, lastSeenAt: Int64, provider: String, issuer: String, client: SessionClient
    ) {
        self.id = id
        self.uid = uid
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.provider = provider
        self.issuer = issuer
        self.client = client
    }

    package init(_ session: Session, client: SessionClient) {
        self.init(
            id: session.reference, uid: session.uid, createdAt: session.issuedAt, lastSeenAt: session.seenAt,
            provider: session.identity.provider, issuer: session.identity.issuer, client: client)
    }
}

extension Session {
    /// A name for this session that is no secret: 32 hexadecimal digits, the same in every store. A refresh keeps it; a new id changes it.
    package var reference: String { Self.reference(of: id) }

    /// The reference of the session with an id.
    package static func reference(of id: [UInt8]) -> String { reference(spelling: referenceBytes(of: id)) }

    /// The text for the bytes of a reference.
    package static func reference(spelling bytes: ArraySlice<UInt8>) -> String {
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10 }
        return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = digit(byte >> 4)
                text[2 * index + 1] = digit(byte & 0x0F)
            }
            return 2 * bytes.count
        }
    }

    private static let referenceSize = 16

    /// The 16 bytes that the reference spells.
    package static func referenceBytes(of id: [UInt8]) -> ArraySlice<UInt8> {
        SHA2.sha256(Array("gateway session reference v1".utf8) + id).prefix(referenceSize)
    }

    /// Whether a text from outside can be a reference at all.
    package static func isReference(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
