import Testing
import TokenCrypto

@Suite struct SaltedKeyRingTests {
    private static let old = [UInt8](repeating: 1, count: 32)
    private static let new = [UInt8](repeating: 2, count: 32)
    private let ring = SaltedKeyRing(keys: [old], purpose: "stored session")
    private let salt = [UInt8](repeating: 7, count: 32)
    private let context = utf8("id")

    @Test func `a text opens with its salt, its context and one of the keys only`() {
        let sealed = ring.seal(utf8("alice"), salt: salt, associatedData: context)
        #expect(ring.open(sealed, salt: salt, associatedData: context) == utf8("alice"))
        for other in [[], [7], salt + [7], Array(salt.dropLast()), salt.map { $0 ^ 1 }] {
            #expect(ring.open(sealed, salt: other, associatedData: context) == nil, "salt \(other)")
        }
        #expect(ring.open(sealed, salt: salt, associatedData: utf8("other")) == nil)
        #expect(SaltedKeyRing(keys: [Self.new], purpose: "stored session").open(sealed, salt: salt, associatedData: context) == nil)
        #expect(SaltedKeyRing(keys: [Self.old], purpose: "other").open(sealed, salt: salt, associatedData: context) == nil)
        // The key without a salt opens nothing either.
        #expect(SealingKeyRing(keys: [Self.old], purpose: "stored session").open(sealed, associatedData: context) == nil)
    }

    @Test func `keys rotate: the first seals, all open`() {
        let sealed = ring.seal(utf8("alice"), salt: salt, associatedData: context)
        let both = SaltedKeyRing(keys: [Self.new, Self.old], purpose: "stored session")
        #expect(both.open(sealed, salt: salt, associatedData: context) == utf8("alice"))
        let later = both.seal(utf8("alice"), salt: salt, associatedData: context)
        #expect(ring.open(later, salt: salt, associatedData: context) == nil)
    }

    @Test func `flipped, cut and extended texts are refused`() {
        let sealed = ring.seal(utf8("alice"), salt: salt, associatedData: context)
        for index in sealed.indices {
            var flipped = sealed
            flipped[index] ^= 0x10
            #expect(ring.open(flipped, salt: salt, associatedData: context) == nil, "byte \(index)")
            #expect(ring.open(Array(sealed[..<index]), salt: salt, associatedData: context) == nil)
        }
        #expect(ring.open(sealed + [0], salt: salt, associatedData: context) == nil)
    }
}
