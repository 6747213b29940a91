import Testing

@testable import TokenCrypto

@Suite struct HMACKeyTests {
    private let secret = [UInt8](0..<32)

    @Test func `each code is that of its own text, whatever came before`() {
        let key = HMACKey(secret)
        for size in [0, 1, 33, 64, 200, 0, 33] {
            let text = [UInt8](repeating: UInt8(size), count: size)
            #expect(key.code(text) == HMAC.sha256(key: secret, text))
        }
    }

    @Test func `threads that use a key at the same time get their own codes`() async {
        let (key, secret) = (HMACKey(secret), secret)
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let text = [UInt8](repeating: UInt8(number), count: 40)
                    let code = HMAC.sha256(key: secret, text)
                    return (0..<2_000).allSatisfy { _ in key.code(text) == code }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
