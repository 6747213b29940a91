import Accounts
import Primitives
import SecondFactors
import TokenCrypto

/// What an authenticator sends is decoded the same whatever follows, and nothing is accepted for a challenge that nobody answered.
/// The first byte chooses the parser, the rest is its input.
enum WebAuthnTarget {
    private static let relyingParty = RelyingParty(Origin(scheme: "http", host: "localhost", port: 38_751), name: "Example")
    /// The corpus answers the challenge of the bytes 0 to 31.
    private static let challenge = [UInt8](repeating: 0xA5, count: 32)
    /// A key whose private half nobody has.
    private static let credential = FactorCredential(id: [1], publicKey: [], counter: 0)

    static func check(_ input: [UInt8]) throws(Broken) {
        guard let first = input.first else { return }
        let rest = Array(input.dropFirst())
        switch first % 4 {
        case 0: try checkCBOR(rest)
        case 1: try checkKey(rest)
        case 2: try checkAuthenticatorData(rest)
        default: try checkResponses(rest)
        }
    }

    private static func checkCBOR(_ bytes: [UInt8]) throws(Broken) {
        guard let (value, size) = try? CBORDecoder.decodePrefix(bytes) else { return }
        try hold((1...bytes.count).contains(size), "an item has another size than its bytes")
        let item = Array(bytes.prefix(size))
        try hold((try? CBORDecoder.decode(item)) == value, "an item depends on the bytes after it")
        try hold((try? CBORDecoder.decode(item + [0])) == nil, "bytes after an item are ignored")
        for count in [0, size / 2, size - 1] {
            try hold((try? CBORDecoder.decodePrefix(Array(item.prefix(count)))) == nil, "a part of an item is an item")
        }
        try hold(depth(value) <= 4, "an item is nested deeper than the limit")
    }

    private static func depth(_ value: CBORValue) -> Int {
        switch value {
        case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
        case .map(let members): 1 + (members.values.map(depth).max() ?? 0)
        default: 0
        }
    }

    private static func checkKey(_ bytes: [UInt8]) throws(Broken) {
        guard let key = try? COSEKey(decoding: bytes) else { return }
        try hold(COSEKey.algorithms.contains(key.algorithm), "a key of another algorithm is accepted")
        for signature in [[], [0], [UInt8](repeating: 0, count: 64), bytes] {
            try hold(!key.verifies(signature, of: challenge), "a signature that nobody made is right")
        }
        try hold((try? COSEKey(decoding: bytes + [0])) == nil, "bytes after a key are ignored")
    }

    private static func checkAuthenticatorData(_ bytes: [UInt8]) throws(Broken) {
        guard let data = try? AuthenticatorData(bytes) else { return }
        try hold(bytes.count >= 37, "authenticator data without a head is accepted")
        if let credential = data.credential {
            try hold((1...1_023).contains(credential.id.count), "a credential id of another length is accepted")
            try hold((try? COSEKey(decoding: credential.encodedKey)) != nil, "the bytes of a key are no key")
        }
        try hold((try? AuthenticatorData(bytes + [0])) == nil, "bytes after the data are ignored")
        try hold((try? AuthenticatorData(Array(bytes.dropLast()))) == nil, "a part of the data is accepted")
    }

    private static func checkResponses(_ bytes: [UInt8]) throws(Broken) {
        guard let json = try? JSONValue(parsing: bytes) else { return }
        if let response = try? RegistrationResponse(json) {
            let made = try? WebAuthnRegistration.verify(response, challenge: challenge, relyingParty, .discouraged, existing: [])
            try hold(made == nil, "a registration for another challenge is accepted")
            let answered = [UInt8](0..<32)
            if let credential = try? WebAuthnRegistration.verify(response, challenge: answered, relyingParty, .discouraged, existing: []) {
                try hold((1...1_023).contains(credential.id.count) && credential.publicKey.count <= 1 << 16, "a length is out of bounds")
                try hold((try? COSEKey(decoding: credential.publicKey)) != nil, "a key is stored that cannot be used")
                try hold(
                    credential.transports.count <= 8 && credential.transports.allSatisfy { $0.utf8.count <= 20 }, "a transport is unbounded"
                )
            }
        }
        if let response = try? AuthenticationResponse(json) {
            let used = try? WebAuthnAssertion.verify(
                response, credential: credential, uid: "uid", challenge: challenge, relyingParty, .discouraged)
            try hold(used == nil, "an assertion for another challenge is accepted")
        }
    }
}
