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

    /// Earlier builds sealed without the public URL. Only sessions from before `issuedBefore` open in that form, so the absolute limit ends
    /// the last of them; after `until` none is tried. Unix milliseconds.
    package struct Legacy: Sendable {
        let issuedBefore: Int64
        let until: Int64

        package init(issuedBefore: Int64, until: Int64) {
            self.issuedBefore = issuedBefore
            self.until = until
        }

        /// For a gateway that starts at `start`.
        package init(startedAt start: Int64, limits: SessionLimits) {
            self.init(issuedBefore: start, until: start.addingSaturating(limits.absolute))
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
        var sealed = sealed
        return sealed.withUTF8 { openBytes(UnsafeRawBufferPointer($0), now: now) }
    }

    /// As `open(_:now:)`, for a cookie value that is still bytes. Refuses values beyond what we would write.
    package func openBytes(_ sealed: UnsafeRawBufferPointer, now: Int64) -> Session? {
        guard sealed.count <= SessionCookies.maximumTotalBytes, let bytes = Base64URL.decode(sealed) else { return nil }
        if let opened = ring.open(bytes, associatedData: associatedData) { return SessionCodec.decode(opened) }
        guard now < legacy.until else { return nil }
        let session = ring.open(bytes, associatedData: legacyAssociatedData).flatMap(SessionCodec.decode)
        return session.flatMap { $0.issuedAt < legacy.issuedBefore ? $0 : nil }
    }
}
