import Primitives
import Synchronization
import TokenCrypto

/// Turns sessions into cookie values that only this gateway can read or make, and back.
///
/// AES-256-GCM under the session keys (`SealingKeyRing`, purpose "session"), as unpadded base64url. The associated data bind the
/// payload's version, the cookie's name and the public URL: a value moved to another cookie, or to another gateway with the same keys,
/// does not open.
package struct SessionSeal: Sendable {
    private let ring: SealingKeyRing
    private let associatedData: [UInt8]
    private let legacyAssociatedData: [UInt8]
    private let legacy: Legacy
    private let legacyUse = LegacyUse()

    private enum LegacyNotice: UInt8, AtomicRepresentable { case none, due, taken }

    /// Shared by the copies of a seal.
    private final class LegacyUse: Sendable {
        let notice = Atomic<LegacyNotice>(.none)
    }

    /// Earlier builds sealed without the public URL. Only sessions from before `issuedBefore` open in that form, so the absolute limit ends
    /// the last of them; after `until` none is tried. Unix milliseconds.
    package struct Legacy: Sendable {
        let issuedBefore: Int64
        let until: Int64

        package init(issuedBefore: Int64, until: Int64) {
            self.issuedBefore = issuedBefore
            self.until = until
        }

        /// 2026-12-31T00:00:00Z. Every start moves the other bound; this one is the same for all starts, and late enough for upgrades.
        private static let latestIssue: Int64 = 1_798_675_200_000

        /// For a gateway that starts at `start`.
        package init(startedAt start: Int64, limits: SessionLimits) {
            let issuedBefore = min(start, Self.latestIssue)
            self.init(issuedBefore: issuedBefore, until: issuedBefore.addingSaturating(limits.absolute))
        }

        /// None opens.
        package static let refused = Legacy(issuedBefore: .min, until: .min)
    }

    /// `keys`: at least one, 32 bytes or more each; the first seals, every one opens. `cookieName`: the effective name,
    /// `__Host-session`. `publicURL`: the origin that browsers use.
    package init(keys: [[UInt8]], cookieName: String, publicURL: String, legacy: Legacy = .refused) {
        ring = SealingKeyRing(keys: keys, purpose: "session")
        // No cookie name holds a line feed, so no two pairs of name and URL make the same bytes.
        associatedData = Self.legacyAssociatedData(cookieName) + Array("\n\(publicURL)".utf8)
        legacyAssociatedData = Self.legacyAssociatedData(cookieName)
        self.legacy = legacy
    }

    private static func legacyAssociatedData(_ cookieName: String) -> [UInt8] { [SessionCodec.version] + Array(cookieName.utf8) }

    package func seal(_ session: Session) -> String {
        Base64URL.encode(ring.seal(SessionCodec.encode(session), associatedData: associatedData))
    }

    /// nil for every failure alike.
    package func open(_ sealed: String, now: Int64) -> Session? {
        openBytes(sealed.utf8.span.bytes, now: now)
    }

    /// As `open(_:now:)`, for a cookie value that is still bytes. Refuses values beyond what we would write.
    package func openBytes(_ sealed: RawSpan, now: Int64) -> Session? {
        guard sealed.byteCount <= SessionCookies.maximumTotalBytes, let bytes = Base64URL.decode(sealed) else { return nil }
        if let opened = ring.open(bytes, associatedData: associatedData) { return SessionCodec.decode(opened) }
        guard now < legacy.until else { return nil }
        let session = ring.open(bytes, associatedData: legacyAssociatedData).flatMap(SessionCodec.decode)
        guard let session, session.issuedAt < legacy.issuedBefore else { return nil }
        _ = legacyUse.notice.compareExchange(expected: .none, desired: .due, ordering: .relaxed)
        return session
    }

    /// Whether a session of an earlier build has opened; true once.
    package func takeLegacyNotice() -> Bool {
        guard legacyUse.notice.load(ordering: .relaxed) == .due else { return false }
        return legacyUse.notice.compareExchange(expected: .due, desired: .taken, ordering: .relaxed).exchanged
    }
}
