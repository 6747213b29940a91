import Primitives
import TestTools
import Testing
import TokenCrypto

/// Makes invalid inputs from good ones: the same on every run, unless `TEST_SEED` is set.
struct Mutator {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(fixed: seed) }

    mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(max(1, bound))) }

    /// One to four changes: a byte replaced, removed, inserted from `alphabet`, or a stretch repeated.
    mutating func mutate(_ input: [UInt8], alphabet: [UInt8]) -> [UInt8] {
        var output = input
        for _ in 0...below(4) {
            let place = below(output.count + 1)
            switch below(4) {
            case 0 where place < output.count: output[place] = alphabet[below(alphabet.count)]
            case 1 where place < output.count: output.remove(at: place)
            case 2: output.insert(alphabet[below(alphabet.count)], at: place)
            default:
                let end = min(output.count, place + below(8))
                output.insert(contentsOf: output[place..<end], at: place)
            }
        }
        return output
    }
}

@Suite struct HostileInputTests {
    @Test(
        "JSON that is taken at all is taken again as the same value when written",
        arguments: [
            #"{"iss":"https://a","aud":["x","y"],"exp":1700000000,"nested":{"a":[true,false,null,-1.5e-3]}}"#,
            #"["\uD83D\uDE00","\\\"\/\b","é日本",{"":[]},0,-0,1E5]"#,
        ])
    func json(seed: String) {
        var mutator = Mutator(seed: 1)
        let alphabet = utf8("{}[]:,\"\\u0123456789abcdefDE.+-truefalsn \t\r\n\0/") + [0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]
        var taken = 0
        for _ in 0..<20_000 {
            guard let value = try? JSONValue(parsing: mutator.mutate(utf8(seed), alphabet: alphabet)) else { continue }
            taken += 1
            #expect((try? JSONValue(parsing: value.serialized())) == value)
        }
        // A reader that refuses everything would pass the check above.
        #expect(taken > 500)
    }

    @Test func `base64url that is taken at all is the one spelling of its bytes`() {
        var mutator = Mutator(seed: 2)
        let alphabet = utf8("ABCxyz019-_+/=. \n") + [0, 0xFF]
        var taken = 0
        for length in 0..<5000 {
            let bytes = (0..<length % 20).map { _ in UInt8(mutator.below(256)) }
            let text = mutator.mutate(utf8(Base64URL.encode(bytes)), alphabet: alphabet)
            guard let decoded = Base64URL.decode(text.span.bytes) else { continue }
            taken += 1
            #expect(utf8(Base64URL.encode(decoded)) == text)
        }
        #expect(taken > 200)
    }

    @Test func `RFC 7515: no mutation of a token verifies unless it is the token`() throws {
        let key = try #require(TestKeys.all[.edDSA])
        let set = TestKeys.set(.edDSA, .es256, .rs256)
        let compact = utf8(key.sign(payload: .object(["sub": .string("alice"), "aud": .string("us")]), header: ["typ": .string("JWT")]))
        let alphabet = utf8("ABCXYZabcxyz0189-_.=+/ ")
        var mutator = Mutator(seed: 3)
        for _ in 0..<20_000 {
            let mutated = mutator.mutate(compact, alphabet: alphabet)
            guard mutated != compact, let token = try? UnverifiedJWS(compact: String(decoding: mutated, as: UTF8.self)) else { continue }
            #expect(throws: JWSError.self) {
                try token.verified(with: set, secret: TestKeys.secret, allowed: Set(JWSAlgorithm.allCases))
            }
        }
    }

    @Test func `a key set of mutated keys never fails as a whole`() throws {
        let keys = [JWSAlgorithm.rs256, .es256, .es512, .edDSA].compactMap { TestKeys.all[$0]?.publicJWK }
        let alphabet = utf8("ABCXYZabcxyz0189-_")
        var mutator = Mutator(seed: 4)
        for _ in 0..<500 {
            let odd = keys.map { key in
                let members = (key.object ?? [:]).mapValues { value -> JSONValue in
                    guard mutator.below(3) == 0, let text = value.string else { return value }
                    return .string(String(decoding: mutator.mutate(utf8(text), alphabet: alphabet), as: UTF8.self))
                }
                return JSONValue.object(members)
            }
            let set = try JWKSet(parsing: .object(["keys": .array(odd + [keys[3]])]))
            #expect(set.count + set.skipped.count == 5 && set.count >= 1)
        }
    }
}
