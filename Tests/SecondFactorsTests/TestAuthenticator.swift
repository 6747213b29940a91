import Accounts
import Primitives

@testable import SecondFactors
@testable import TokenCrypto

/// Encodes CBOR in canonical form, for tests.
enum CBOREncoder {
    static func encode(_ value: CBORValue) -> [UInt8] {
        switch value {
        case .unsigned(let number): head(0, number)
        case .negative(let number): head(1, number)
        case .bytes(let bytes): head(2, UInt64(bytes.count)) + bytes
        case .text(let text): head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let elements): head(4, UInt64(elements.count)) + elements.flatMap(encode)
        case .map(let members):
            head(5, UInt64(members.count))
                + members.map { (encode($0.key), encode($0.value)) }
                .sorted { ($0.0.count, String(describing: $0.0)) < ($1.0.count, String(describing: $1.0)) }
                .flatMap { $0.0 + $0.1 }
        case .bool(let flag): [flag ? 0xF5 : 0xF4]
        case .null: [0xF6]
        }
    }

    private static func head(_ major: UInt8, _ number: UInt64) -> [UInt8] {
        let type = major << 5
        func bytes(_ count: UInt64) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) } }
        switch number {
        case 0..<24: return [type | UInt8(number)]
        case 24..<256: return [type | 24] + bytes(1)
        case 256..<65_536: return [type | 25] + bytes(2)
        case 65_536..<(1 << 32): return [type | 26] + bytes(4)
        default: return [type | 27] + bytes(8)
        }
    }
}

/// The ways in which a response of `TestAuthenticator` may be wrong. The default is right.
struct Fault: Sendable {
    var type: String?
    var challenge: [UInt8]?
    var origin = "https://app.example.com"
    var clientData: [String: JSONValue] = [:]
    var rawClientData: [UInt8]?
    var relyingParty = "app.example.com"
    /// User present and verified.
    var flags: UInt8 = 0x05
    var counter: UInt32 = 1
    var credentialID: [UInt8]?
    var key: [CBORValue: CBORValue]?
    var format = "none"
    var statement: [CBORValue: CBORValue] = [:]
    /// Signs the attestation itself, with this `alg`.
    var selfAttestation: Int?
    var afterData: [UInt8] = []
    var userHandle: JSONValue?
    var signature: (@Sendable ([UInt8]) -> [UInt8])?
    var members: [String: JSONValue] = [:]
    var responseMembers: [String: JSONValue] = [:]
    var attestation: (@Sendable ([UInt8]) -> [UInt8])?
}

/// A software authenticator and the browser before it.
struct TestAuthenticator: Sendable {
    static let relyingParty = RelyingParty(Origin(scheme: "https", host: "app.example.com", port: 443), name: "Example")
    static let algorithms: [JWSAlgorithm] = [.es256, .rs256, .edDSA]

    let signing: SigningKey
    let id: [UInt8] = Array(1...32)

    init(_ algorithm: JWSAlgorithm = .es256) { signing = SigningKey.generate(algorithm) }

    var alg: Int {
        switch signing.algorithm {
        case .es256: -7
        case .rs256: -257
        default: -8
        }
    }

    var coseKey: [CBORValue: CBORValue] {
        let jwk = signing.publicJWK
        func number(_ name: String) -> CBORValue { .bytes(jwk[name]?.string.flatMap(Base64URL.decode) ?? []) }
        return switch signing.algorithm {
        case .es256:
            [
                .integer(1): .integer(2), .integer(3): .integer(-7), .integer(-1): .integer(1), .integer(-2): number("x"),
                .integer(-3): number("y"),
            ]
        case .rs256: [.integer(1): .integer(3), .integer(3): .integer(-257), .integer(-1): number("n"), .integer(-2): number("e")]
        default: [.integer(1): .integer(1), .integer(3): .integer(-8), .integer(-1): .integer(6), .integer(-2): number("x")]
        }
    }

    func sign(_ message: [UInt8]) -> [UInt8] {
        let raw = signing.handle.sign(message, signing.algorithm, signing.kind)
        return signing.algorithm == .es256 ? ECDSASignature.derEncoded(raw, .p256) ?? [] : raw
    }

    func credential(counter: UInt32 = 1) -> FactorCredential {
        FactorCredential(id: id, publicKey: CBOREncoder.encode(.map(coseKey)), counter: counter)
    }

    private func clientData(_ type: String, _ challenge: [UInt8], _ fault: Fault) -> [UInt8] {
        if let raw = fault.rawClientData { return raw }
        let members: [String: JSONValue] = [
            "type": .string(fault.type ?? type), "challenge": .string(Base64URL.encode(fault.challenge ?? challenge)),
            "origin": .string(fault.origin), "crossOrigin": .bool(false),
        ]
        return JSONValue.object(members.merging(fault.clientData) { $1 }.filter { $0.value != .null }).serializedBytes()
    }

    private func head(_ flags: UInt8, _ fault: Fault) -> [UInt8] {
        SHA2.sha256(Array(fault.relyingParty.utf8)) + [flags] + (0..<4).map { UInt8(truncatingIfNeeded: fault.counter >> (24 - 8 * $0)) }
    }

    private func response(_ members: [String: [UInt8]], _ fault: Fault) -> JSONValue {
        var response = members.mapValues { JSONValue.string(Base64URL.encode($0)) }
        response.merge(fault.responseMembers) { $1 }
        let text = Base64URL.encode(fault.credentialID ?? id)
        let whole: [String: JSONValue] = [
            "id": .string(text), "rawId": .string(text), "type": .string("public-key"), "response": .object(response),
            "clientExtensionResults": .object([:]), "authenticatorAttachment": .string("cross-platform"),
        ]
        return .object(whole.merging(fault.members) { $1 }.filter { $0.value != .null })
    }

    func register(_ challenge: [UInt8], _ change: (inout Fault) -> Void = { _ in }) -> JSONValue {
        var fault = Fault()
        change(&fault)
        let client = clientData("webauthn.create", challenge, fault)
        let id = fault.credentialID ?? id
        let attested = [UInt8](repeating: 0, count: 16) + [UInt8(id.count >> 8), UInt8(id.count & 0xFF)] + id
        let data = head(fault.flags | 0x40, fault) + attested + CBOREncoder.encode(.map(fault.key ?? coseKey)) + fault.afterData
        var statement = fault.statement
        if let alg = fault.selfAttestation {
            statement[.text("alg")] = .integer(alg)
            let signed = fault.signature?(data + SHA2.sha256(client)) ?? sign(data + SHA2.sha256(client))
            statement[.text("sig")] = .bytes(signed)
        }
        let object = CBOREncoder.encode(
            .map([.text("fmt"): .text(fault.format), .text("attStmt"): .map(statement), .text("authData"): .bytes(data)]))
        return response(["clientDataJSON": client, "attestationObject": fault.attestation?(object) ?? object], fault)
    }

    func assert(_ challenge: [UInt8], _ change: (inout Fault) -> Void = { _ in }) -> JSONValue {
        var fault = Fault()
        fault.counter = 2
        change(&fault)
        let client = clientData("webauthn.get", challenge, fault)
        let data = head(fault.flags, fault) + fault.afterData
        let message = data + SHA2.sha256(client)
        var members = ["clientDataJSON": client, "authenticatorData": data, "signature": fault.signature?(message) ?? sign(message)]
        if case .string(let handle)? = fault.userHandle { members["userHandle"] = Array(handle.utf8) }
        return response(members, fault)
    }
}
