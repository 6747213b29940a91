import Accounts
import Primitives
import Sessions
import TokenCrypto

/// The names under which a store keeps things. None of them holds a session id, a user, a `sid` or a token.
///
/// Names of random values are hashes. Names that somebody could guess, such as those of users, are made with a key from each of
/// `session.keys`: the first is written, all are read, so that keys can be rotated.
struct RedisNames: Sendable {
    private let prefix: [UInt8]
    /// One for each of `session.keys`.
    let digesters: [RevocationDigester]
    /// The digests that end all sessions, one for each of `session.keys`.
    let everyone: [RevocationDigest]

    init(prefix: String, keys: [[UInt8]]) {
        self.prefix = Array(prefix.utf8)
        digesters = keys.compactMap {
            RevocationDigester(
                key: HKDF.sha256(key: $0, salt: [], info: Array("gateway session store names v1".utf8), length: RevocationDigester.keySize))
        }
        everyone = digesters.map(\.everyone)
    }

    private func hash(_ kind: String, _ parts: [[UInt8]]) -> String {
        var bytes = Array("gateway \(kind)".utf8)
        for part in parts {
            bytes += withUnsafeBytes(of: UInt64(part.count).bigEndian) { Array($0) }
            bytes += part
        }
        return Base64URL.encode(Array(SHA2.sha256(bytes).prefix(16)))
    }

    private func name(_ kind: StaticString, _ text: String, closing: StaticString = "") -> [UInt8] {
        var text = text
        return name(kind, size: text.utf8.count + closing.utf8CodeUnitCount) { rest in
            let end = text.withUTF8 { rest.initialize(fromContentsOf: $0) }
            closing.withUTF8Buffer { _ = UnsafeMutableBufferPointer(rebasing: rest[end...]).initialize(fromContentsOf: $0) }
        }
    }

    private func name(_ kind: StaticString, _ digest: RevocationDigest) -> [UInt8] {
        name(kind, size: 22) { rest in digest.withBytes { _ = Base64URL.encode($0, into: rest) } }
    }

    /// `write` fills `size` bytes after the prefix and the kind.
    private func name(_ kind: StaticString, size: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: prefix.count + kind.utf8CodeUnitCount + size) { name, count in
            count = prefix.withUnsafeBufferPointer { name.initialize(fromContentsOf: $0) }
            count = kind.withUTF8Buffer { name[count...].initialize(fromContentsOf: $0) }
            write(UnsafeMutableBufferPointer(rebasing: name[count..<count + size]))
            count += size
        }
    }

    // Both names of a session are in one slot of a cluster.
    func session(_ reference: String) -> [UInt8] { name("session:{", reference, closing: "}") }
    func end(ofSession reference: String) -> [UInt8] { name("end:{", reference, closing: "}") }

    func end(_ digest: RevocationDigest) -> [UInt8] { name("end:", digest) }

    func providerSession(_ digest: RevocationDigest) -> [UInt8] { name("sid:", digest) }

    /// The sets of a user's sessions; the first is written.
    func users(_ uid: String) -> [[UInt8]] { digesters.map { name("user:", $0.account(uid)) } }

    func login(_ id: String) -> [UInt8] { name("login:", hash("login", [Array(id.utf8)])) }

    func logoutToken(_ logout: ProviderLogout) -> [UInt8] {
        name("jti:", hash("jti", [Array(logout.issuer.utf8), Array(logout.tokenID.utf8)]))
    }

    func refresh(_ key: RefreshCoordinator.Key) -> [UInt8] {
        name("refresh:", hash("refresh", [key.sessionID, withUnsafeBytes(of: key.generation.bigEndian) { Array($0) }]))
    }

    // MARK: Digests

    /// The digest that ends one session: its reference, as a number.
    static func digest(ofSession reference: String) -> RevocationDigest? {
        guard Session.isReference(reference), let high = UInt64(reference.prefix(16), radix: 16),
            let low = UInt64(reference.suffix(16), radix: 16)
        else { return nil }
        return RevocationDigest(high: high, low: low)
    }

    /// The reference and the digest of the session with an id.
    static func name(of id: [UInt8]) -> (reference: String, digest: RevocationDigest) {
        let digest = digest(of: id)
        return (reference(of: digest), digest)
    }

    static func reference(of digest: RevocationDigest) -> String { Session.reference(spelling: digest.bytes[...]) }

    static func digest(of id: [UInt8]) -> RevocationDigest {
        // The reference was made here: nothing from outside is in it but the id that it hashes.
        guard let digest = RevocationDigest(bytes: Session.referenceBytes(of: id)) else { fatalError("a reference has 16 bytes") }
        return digest
    }

    /// Everything that a session can be ended under. The first is its own.
    func digests(of session: Session) -> SessionDigests {
        let shared = digesters.map { $0.sharedDigests(of: session) }
        return SessionDigests(
            providerSession: shared[0].providerSession, all: [Self.digest(of: session.id)] + shared.flatMap(\.all) + everyone)
    }

    /// The digests that end the session together with others, made with the first of `session.keys`.
    func sharedDigests(of session: Session) -> [RevocationDigest] { digesters[0].sharedDigests(of: session).all }

    /// The same as `digests(of:)`, without making them anew. `shared`: `sharedDigests(of:)` when the session was sealed. Nil if there are more
    /// keys than the first.
    func digests(of session: Session, own: RevocationDigest, shared: [RevocationDigest]) -> SessionDigests? {
        guard digesters.count == 1, shared.count >= 2 else { return nil }
        return SessionDigests(providerSession: session.providerSessionID == nil ? nil : shared[1], all: [own] + shared + everyone)
    }
}

extension RevocationDigest {
    /// 16 bytes in network order.
    var bytes: [UInt8] { withBytes { Array($0) } }

    fileprivate func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
    }

    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        self.init(
            high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, low: bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
