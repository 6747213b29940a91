import Primitives
import Sessions
import Testing
import TokenCrypto

@Suite struct SessionSealTests {
    private let seal = SessionSeal(keys: Example.keys, cookieName: "__Host-session", publicURL: Example.publicURL)

    @Test func `a sealed session opens, from text and from bytes`() {
        let session = Example.session()
        let sealed = seal.seal(session)
        #expect(seal.open(sealed, now: Example.start) == session)
        #expect(seal.openBytes(sealed.utf8.span.bytes, now: Example.start) == session)
    }

    @Test func `what is sealed is base64url without padding, and never the same twice`() {
        let session = Example.session()
        let sealed = seal.seal(session)
        #expect(Base64URL.decode(sealed) != nil)
        #expect(sealed != seal.seal(session))
        #expect(!sealed.contains("alice"))
    }

    @Test func `CVE-2021-32791: a value moved to another cookie does not open`() {
        let sealed = seal.seal(Example.session())
        for name in ["session", "__Secure-session", "__Host-session2", "__Host-sessio", ""] {
            #expect(SessionSeal(keys: Example.keys, cookieName: name, publicURL: Example.publicURL).open(sealed, now: Example.start) == nil)
        }
    }

    @Test func `a seal for another purpose does not open`() {
        let session = Example.session()
        for purpose in ["transaction", "login", ""] {
            let other = SealingKeyRing(keys: Example.keys, purpose: purpose)
            let sealed = other.seal(SessionCodec.encode(session), associatedData: [2] + Array("__Host-session\n\(Example.publicURL)".utf8))
            #expect(seal.open(Base64URL.encode(sealed), now: Example.start) == nil)
        }
        // With the right purpose the same bytes are a session: it was the purpose that was refused.
        let ring = SealingKeyRing(keys: Example.keys, purpose: "session")
        let sealed = ring.seal(SessionCodec.encode(session), associatedData: [2] + Array("__Host-session\n\(Example.publicURL)".utf8))
        #expect(seal.open(Base64URL.encode(sealed), now: Example.start) == session)
    }

    @Test func `every flip of a bit in the cookie is refused`() {
        let sealed = Array(seal.seal(Example.session()).utf8)
        for index in sealed.indices {
            for bit in 0..<8 {
                var flipped = sealed
                flipped[index] ^= 1 << UInt8(bit)
                #expect(seal.openBytes(flipped.span.bytes, now: Example.start) == nil, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test(arguments: ["", "A", "=", "\"\"", "x=y", "AQ", "é", "\0", "null", "{}"])
    func `what is no sealed session is refused`(value: String) {
        #expect(seal.open(value, now: Example.start) == nil)
    }

    @Test func `quotes, padding and white space around a good value are refused`() {
        let sealed = seal.seal(Example.session())
        for value in ["\"\(sealed)\"", sealed + "=", sealed + "==", " " + sealed, sealed + " ", sealed + "\n", String(sealed.dropLast())] {
            #expect(seal.open(value, now: Example.start) == nil)
        }
    }

    @Test func `a value longer than we would write is refused, be it sealed by us`() {
        let large = seal.seal(Example.session(padding: 16_000))
        #expect(large.utf8.count > 5 * 4096 && seal.open(large, now: Example.start) == nil)
        let fits = Example.session(padding: 14_000)
        #expect(seal.open(seal.seal(fits), now: Example.start) == fits)
    }

    @Test func `after a key rotation old cookies open and new ones are under the new key`() {
        let new = [UInt8](repeating: 6, count: 32)
        let rotated = SessionSeal(keys: [new] + Example.keys, cookieName: "__Host-session", publicURL: Example.publicURL)
        let session = Example.session()
        #expect(rotated.open(seal.seal(session), now: Example.start) == session)
        #expect(seal.open(rotated.seal(session), now: Example.start) == nil)
        #expect(
            SessionSeal(keys: [new], cookieName: "__Host-session", publicURL: Example.publicURL).open(
                seal.seal(session), now: Example.start) == nil)
    }

    @Test func `a value of another public URL does not open, though the keys are the same`() {
        let sealed = seal.seal(Example.session())
        for url in ["https://staging.example.com", "http://app.example.com", "https://app.example.com:8443", ""] {
            let other = SessionSeal(keys: Example.keys, cookieName: "__Host-session", publicURL: url)
            #expect(other.open(sealed, now: Example.start) == nil)
        }
    }

    @Test func `sessions that earlier builds sealed without the public URL open for one absolute limit after the start`() throws {
        let limits = SessionLimits(idle: 3_600_000, absolute: 86_400_000)
        let start: Int64 = 1_790_000_000_000
        let upgraded = SessionSeal(
            keys: Example.keys, cookieName: "__Host-session", publicURL: Example.publicURL, legacy: .init(startedAt: start, limits: limits))
        func sealedByEarlierBuild(_ session: Session) -> String {
            let ring = SealingKeyRing(keys: Example.keys, purpose: "session")
            return Base64URL.encode(ring.seal(SessionCodec.encode(session), associatedData: [2] + Array("__Host-session".utf8)))
        }
        let session = Example.session(now: start - 1)
        let sealed = sealedByEarlierBuild(session)
        #expect(!upgraded.takeLegacyNotice())
        #expect(upgraded.open(sealed, now: start) == session)
        #expect(upgraded.takeLegacyNotice())
        #expect(!upgraded.takeLegacyNotice(), "once")
        #expect(upgraded.open(sealed, now: start + 86_400_000 - 1) == session)
        #expect(upgraded.open(sealed, now: start + 86_400_000) == nil)
        // Another gateway with the same keys may still seal like this; what it seals after our start is not ours.
        #expect(upgraded.open(sealedByEarlierBuild(Example.session(now: start)), now: start + 1) == nil)
        #expect(seal.open(sealed, now: start) == nil, "where nothing was upgraded")
        // A renewal seals in the new form.
        #expect(seal.open(upgraded.seal(session), now: start) == session)
    }

    @Test func `a restart does not extend the time for sessions of earlier builds beyond the end of 2026`() {
        let end: Int64 = 1_798_675_200_000
        let restarted = SessionSeal(
            keys: Example.keys, cookieName: "__Host-session", publicURL: Example.publicURL,
            legacy: .init(startedAt: end + 1_000, limits: SessionLimits(idle: 3_600_000, absolute: 86_400_000)))
        let ring = SealingKeyRing(keys: Example.keys, purpose: "session")
        func sealedByEarlierBuild(_ session: Session) -> String {
            Base64URL.encode(ring.seal(SessionCodec.encode(session), associatedData: [2] + Array("__Host-session".utf8)))
        }
        let last = Example.session(now: end - 1)
        #expect(restarted.open(sealedByEarlierBuild(last), now: end + 1_000) == last)
        #expect(restarted.open(sealedByEarlierBuild(Example.session(now: end)), now: end + 1_000) == nil)
        #expect(restarted.open(sealedByEarlierBuild(last), now: end + 86_400_000) == nil)
    }
}
