import TestTools
import Testing
import TokenCrypto

@Suite struct SealingKeyRingTests {
    private static let old = [UInt8](repeating: 1, count: 32)
    private static let new = [UInt8](repeating: 2, count: 48)
    private let ring = SealingKeyRing(keys: [old], purpose: "session")
    private let context = utf8("__Host-session")

    @Test(arguments: [0, 1, 15, 16, 17, 1000, 20_000])
    func `what was sealed opens`(length: Int) {
        let plaintext = SecureRandom.bytes(length)
        let sealed = ring.seal(plaintext, associatedData: context)
        #expect(sealed.count == length + 33)
        #expect(sealed[0] == 1)
        #expect(ring.open(sealed, associatedData: context) == plaintext)
        #expect(ring.open(sealed.span.bytes, associatedData: context) == plaintext)
    }

    @Test func `a flip of any single bit is refused`() {
        let sealed = ring.seal(utf8("alice"), associatedData: context)
        for index in sealed.indices {
            for bit in 0..<8 {
                var flipped = sealed
                flipped[index] ^= 1 << UInt8(bit)
                #expect(ring.open(flipped, associatedData: context) == nil, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test func `every truncation and every extension is refused`() {
        let sealed = ring.seal(utf8("alice"), associatedData: context)
        for length in 0..<sealed.count {
            #expect(ring.open(Array(sealed.prefix(length)), associatedData: context) == nil)
        }
        #expect(ring.open(sealed + [0], associatedData: context) == nil)
        #expect(ring.open([0] + sealed, associatedData: context) == nil)
    }

    @Test func `associated data bind the seal to its place`() {
        let sealed = ring.seal(utf8("alice"), associatedData: context)
        for other in ["", "__Host-sessioN", "__Host-session1", "session"] {
            #expect(ring.open(sealed, associatedData: utf8(other)) == nil)
        }
        #expect(ring.open(ring.seal([], associatedData: []), associatedData: []) == [])
    }

    @Test func `one configured key never serves two purposes`() {
        let other = SealingKeyRing(keys: [Self.old], purpose: "transaction")
        #expect(other.open(ring.seal(utf8("alice"), associatedData: context), associatedData: context) == nil)
    }

    @Test func `after a rotation the new key seals and the old one still opens (Envoy 1.37.3, CVE-2021-32791)`() {
        let rotated = SealingKeyRing(keys: [Self.new, Self.old], purpose: "session")
        let before = ring.seal(utf8("alice"), associatedData: context)
        #expect(rotated.open(before, associatedData: context) == utf8("alice"))
        let after = rotated.seal(utf8("bob"), associatedData: context)
        #expect(rotated.open(after, associatedData: context) == utf8("bob"))
        #expect(ring.open(after, associatedData: context) == nil)
        let finished = SealingKeyRing(keys: [Self.new], purpose: "session")
        #expect(finished.open(before, associatedData: context) == nil)
        #expect(finished.open(after, associatedData: context) == utf8("bob"))
    }

    @Test func `a seal under another key with the same id is refused`() {
        var forged = SealingKeyRing(keys: [Self.new], purpose: "session").seal(utf8("alice"), associatedData: context)
        forged.replaceSubrange(1..<5, with: ring.seal([], associatedData: context)[1..<5])
        #expect(ring.open(forged, associatedData: context) == nil)
    }

    @Test func `CVE-2021-32791: no nonce is used twice`() {
        let nonces = Set((0..<20_000).map { _ in Array(ring.seal([], associatedData: [])[5..<17]) })
        #expect(nonces.count == 20_000)
    }

    @Test(.seeded) func `junk of any length is refused`() {
        var generator = SeededGenerator()
        for length in 0..<1000 { #expect(ring.open([1] + generator.bytes(length), associatedData: context) == nil) }
    }

    @Test func `threads that open at the same time, and refusals in between, change nothing`() async {
        let ring = SealingKeyRing(keys: [[UInt8](repeating: 1, count: 32)], purpose: "test")
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let (text, context) = ([UInt8](repeating: UInt8(number), count: number * 100), [UInt8(number)])
                    let sealed = ring.seal(text, associatedData: context)
                    var forged = sealed
                    forged[sealed.count - 1] ^= 1
                    return (0..<1_000).allSatisfy { _ in
                        ring.open(forged, associatedData: context) == nil && ring.open(sealed, associatedData: context) == text
                            && ring.open(sealed, associatedData: []) == nil
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
