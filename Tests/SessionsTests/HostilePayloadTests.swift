import Sessions
import TestTools
import Testing

@Suite struct HostilePayloadTests {
    @Test(
        "a payload that decodes at all encodes to one that decodes to the same session", .seeded,
        arguments: [Example.session(), SessionCodecTests.session()])
    func mutations(session: Session) {
        let good = SessionCodec.encode(session)
        var generator = SeededGenerator()
        var taken = 0
        for _ in 0..<20_000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = .random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(.random(in: 0...255, using: &generator), at: index)
                }
            }
            guard let session = SessionCodec.decode(bytes) else { continue }
            taken += 1
            #expect(SessionCodec.decode(SessionCodec.encode(session)) == session)
        }
        #expect(taken > 100)
    }

    @Test(.seeded) func `random bytes behind a good version never crash the decoder`() {
        var generator = SeededGenerator()
        for length in 0..<2000 {
            let bytes = (0..<length % 300).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if let session = SessionCodec.decode([2] + bytes) { #expect(session.id.count == 16) }
        }
    }
}
