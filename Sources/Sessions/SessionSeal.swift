import TokenCrypto

/// Turns sessions into cookie values that only this gateway can read or make, and back.
///
/// AES-256-GCM under the session keys (`SealingKeyRing`, purpose "session"), as unpadded base64url. Associated
/// data bind the cookie's name and the payload's version: a value moved to another cookie does not open.
package struct SessionSeal: Sendable {
    private let ring: SealingKeyRing
    private let associatedData: [UInt8]

    /// `keys`: at least one, 32 bytes or more each; the first seals, every one opens. `cookieName`: the
    /// effective name, `__Host-session`.
    package init(keys: [[UInt8]], cookieName: String) {
        ring = SealingKeyRing(keys: keys, purpose: "session")
        associatedData = [SessionCodec.version] + Array(cookieName.utf8)
    }

    package func seal(_ session: Session) -> String {
        Base64URL.encode(ring.seal(SessionCodec.encode(session), associatedData: associatedData))
    }

    /// nil for every failure alike.
    package func open(_ sealed: String) -> Session? {
        var sealed = sealed
        return sealed.withUTF8 { openBytes(UnsafeRawBufferPointer($0)) }
    }

    /// As `open(_:)`, for a cookie value that is still bytes. Refuses values beyond what we would write.
    package func openBytes(_ sealed: UnsafeRawBufferPointer) -> Session? {
        guard sealed.count <= SessionCookies.maximumTotalBytes, let bytes = Base64URL.decode(sealed) else { return nil }
        return ring.open(bytes, associatedData: associatedData).flatMap(SessionCodec.decode)
    }
}
