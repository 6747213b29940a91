import Accounts
import Primitives
import Testing

@testable import SecondFactors
@testable import TokenCrypto

/// The name of a fault, the fault, and the refusal.
struct FaultRow: Sendable, CustomTestStringConvertible {
    let name: String
    let change: @Sendable (inout Fault) -> Void
    let error: WebAuthnError

    init(_ name: String, _ error: WebAuthnError, _ change: @escaping @Sendable (inout Fault) -> Void) {
        self.name = name
        self.error = error
        self.change = change
    }

    var testDescription: String { name }

    /// Refused at registration and assertion alike.
    static let ofBoth: [FaultRow] = [
        FaultRow("step 7/11: another type", .type) { $0.type = "payment.get" },
        FaultRow("step 8/12: another challenge", .challenge) { $0.challenge = [9] },
        FaultRow("step 8/12: an empty challenge", .challenge) { $0.challenge = [] },
        FaultRow("step 9/13: another origin", .origin) { $0.origin = "https://evil.example" },
        FaultRow("step 9/13: another port", .origin) { $0.origin = "https://app.example.com:8443" },
        FaultRow("step 9/13: another scheme", .origin) { $0.origin = "http://app.example.com" },
        FaultRow("step 9/13: a subdomain", .origin) { $0.origin = "https://x.app.example.com" },
        FaultRow("step 9/13: another case", .origin) { $0.origin = "https://App.example.com" },
        FaultRow("step 9/13: in a frame of another origin", .origin) { $0.clientData["crossOrigin"] = .bool(true) },
        FaultRow("step 10/14: a token binding", .tokenBinding) {
            $0.clientData["tokenBinding"] = .object(["status": .string("present"), "id": .string("AA")])
        },
        FaultRow("step 10/14: an unknown token binding", .tokenBinding) {
            $0.clientData["tokenBinding"] = .object(["status": .string("x")])
        },
        FaultRow("step 13/15: another RP ID", .relyingParty) { $0.relyingParty = "example.com" },
        FaultRow("step 14/16: the user was not present", .userPresence) { $0.flags = 0x04 },
        FaultRow("step 15/17: the user was not verified", .userVerification) { $0.flags = 0x01 },
        FaultRow("step 5/9: no UTF-8", .malformed("the client data is no JSON object")) { $0.rawClientData = [0xFF] },
        FaultRow("step 6/10: no JSON", .malformed("the client data is no JSON object")) { $0.rawClientData = Array("{".utf8) },
        FaultRow("step 6/10: no object", .malformed("the client data is no JSON object")) { $0.rawClientData = Array("[]".utf8) },
        FaultRow("step 6/10: a duplicate member", .malformed("the client data is no JSON object")) {
            $0.rawClientData = Array(#"{"type":"webauthn.create","type":"webauthn.get"}"#.utf8)
        },
        FaultRow("step 6/10: no origin", .malformed("the client data lacks a member")) { $0.clientData["origin"] = .null },
        FaultRow("step 6/10: crossOrigin is a text", .malformed("crossOrigin is no Boolean")) {
            $0.clientData["crossOrigin"] = .string("false")
        },
        FaultRow("step 10/14: a token binding without status", .malformed("the token binding has no status")) {
            $0.clientData["tokenBinding"] = .bool(true)
        },
        FaultRow("step 3: another credential type", .malformed("the type is not public-key")) { $0.members["type"] = .string("password") },
        FaultRow("id and rawId differ", .malformed("id and rawId differ")) { $0.members["id"] = .string("AAAA") },
        FaultRow("no id", .malformed("id and rawId differ")) { $0.members["id"] = .null },
        FaultRow("no rawId", .malformed("rawId is missing or no base64url")) { $0.members["rawId"] = .null },
        FaultRow("rawId in base64", .malformed("rawId is missing or no base64url")) { $0.members["rawId"] = .string("AAA=") },
        FaultRow("step 3: no response", .malformed("there is no response")) { $0.members["response"] = .null },
        FaultRow("step 4: client extensions are a text", .malformed("clientExtensionResults is no object")) {
            $0.members["clientExtensionResults"] = .string("")
        },
        FaultRow("empty client data", .malformed("clientDataJSON is missing or no base64url")) {
            $0.responseMembers["clientDataJSON"] = .string("")
        },
        FaultRow("step 17/18: an announced extension is missing", .malformed("the extensions: it ends in an item")) { $0.flags = 0x85 },
        FaultRow("bytes after the authenticator data", .malformed("bytes follow the authenticator data")) { $0.afterData = [0] },
        FaultRow("step 17/18: extensions that are no map", .malformed("the extensions are no map")) {
            ($0.flags, $0.afterData) = (0x85, [0x80])
        },
    ]
}

/// The client data of the right origin.
private func clientData(type: String, _ challenge: [UInt8]) -> [UInt8] {
    JSONValue.object([
        "type": .string(type), "challenge": .string(Base64URL.encode(challenge)), "origin": .string("https://app.example.com"),
    ]).serializedBytes()
}

@Suite("WebAuthn: registration (section 7.1)")
struct WebAuthnRegistrationTests {
    private let challenge: [UInt8] = Array(0..<32)

    private func verify(
        _ json: JSONValue, _ verification: UserVerification = .required, existing: [FactorCredential] = []
    ) throws(WebAuthnError) -> FactorCredential {
        try WebAuthnRegistration.verify(
            RegistrationResponse(json), challenge: challenge, TestAuthenticator.relyingParty, verification, existing: existing)
    }

    @Test(arguments: TestAuthenticator.algorithms)
    func `a right registration gives the credential to store (step 23)`(algorithm: JWSAlgorithm) throws {
        let authenticator = TestAuthenticator(algorithm)
        let credential = try verify(
            authenticator.register(challenge) {
                $0.responseMembers["transports"] = .array([.string("usb"), .string("NFC!"), .integer(1), .string("smart-card")])
            })
        #expect(credential.id == authenticator.id && credential.counter == 1)
        #expect(credential.publicKey == CBOREncoder.encode(.map(authenticator.coseKey)))
        #expect(credential.transports == ["usb", "smart-card"])
    }

    @Test("a fault is refused at its step", arguments: FaultRow.ofBoth + ofRegistration)
    func faults(row: FaultRow) throws {
        let json = TestAuthenticator().register(challenge, row.change)
        #expect(throws: row.error) { try verify(json) }
    }

    private static let ofRegistration: [FaultRow] = [
        FaultRow("step 3: an assertion's response", .malformed("attestationObject is missing or no base64url")) {
            $0.responseMembers["attestationObject"] = .null
        },
        FaultRow("step 7: an assertion's client data", .type) { $0.type = "webauthn.get" },
        FaultRow("step 12: no CBOR", .malformed("the attestation: a string is longer than the rest")) {
            $0.attestation = { Array($0.dropLast()) }
        },
        FaultRow("step 12: bytes after it", .malformed("the attestation: bytes follow the item")) { $0.attestation = { $0 + [0] } },
        FaultRow("step 12: no map", .malformed("the attestation object lacks a member")) { $0.attestation = { _ in [0x80] } },
        FaultRow("step 12: no authenticator data", .malformed("the attestation object lacks a member")) {
            $0.attestation = { _ in CBOREncoder.encode(.map([.text("fmt"): .text("none"), .text("attStmt"): .map([:])])) }
        },
        FaultRow("step 16: ES384", .algorithm) { $0.key = [.integer(1): .integer(2), .integer(3): .integer(-35)] },
        FaultRow("step 16: an RSA key for ES256", .algorithm) { $0.key = [.integer(1): .integer(3), .integer(3): .integer(-7)] },
        FaultRow("step 18: an unknown format", .attestation("the format is neither none nor packed")) { $0.format = "fido-u2f" },
        FaultRow("step 19: none with a statement", .attestation("none has a statement")) { $0.statement = [.text("a"): .null] },
        FaultRow("step 19: packed with certificates", .attestation("packed has certificates, and none were asked for")) {
            $0.format = "packed"
            $0.selfAttestation = -7
            $0.statement = [.text("x5c"): .array([])]
        },
        FaultRow("step 19: packed with another algorithm", .attestation("its algorithm is not the credential's")) {
            $0.format = "packed"
            $0.selfAttestation = -8
        },
        FaultRow("step 19: packed with a wrong signature", .attestation("its signature is wrong")) {
            $0.format = "packed"
            $0.selfAttestation = -7
            $0.signature = { TestAuthenticator().sign($0) }
        },
        FaultRow("step 19: packed without a signature", .attestation("its signature is wrong")) {
            $0.format = "packed"
            $0.statement = [.text("alg"): .integer(-7)]
        },
    ]

    @Test(arguments: TestAuthenticator.algorithms)
    func `a self attestation is verified`(algorithm: JWSAlgorithm) throws {
        let authenticator = TestAuthenticator(algorithm)
        _ = try verify(
            authenticator.register(challenge) {
                $0.format = "packed"
                $0.selfAttestation = authenticator.alg
            })
    }

    @Test func `step 5: a byte order mark is stripped, and the signature covers it`() throws {
        let json = TestAuthenticator().register(challenge) {
            $0.rawClientData = [0xEF, 0xBB, 0xBF] + clientData(type: "webauthn.create", challenge)
            ($0.format, $0.selfAttestation) = ("packed", -7)
        }
        _ = try verify(json)
    }

    @Test func `step 11: a self attestation covers the client data`() throws {
        let authenticator = TestAuthenticator()
        let one = authenticator.register(challenge) { ($0.format, $0.selfAttestation) = ("packed", -7) }
        let other = authenticator.register(challenge) { $0.clientData["extra"] = .bool(true) }
        guard case .object(var members) = one, case .object(var response)? = members["response"] else { return }
        response["clientDataJSON"] = other["response"]?["clientDataJSON"]
        members["response"] = .object(response)
        #expect(throws: WebAuthnError.attestation("its signature is wrong")) { try verify(.object(members)) }
    }

    @Test func `step 15 is skipped unless verification is required`() throws {
        for verification in [UserVerification.preferred, .discouraged] {
            _ = try verify(TestAuthenticator().register(challenge) { $0.flags = 0x01 }, verification)
        }
    }

    @Test func `steps 10 and 17: a supported token binding and extension outputs are ignored`() throws {
        _ = try verify(
            TestAuthenticator().register(challenge) {
                $0.clientData["tokenBinding"] = .object(["status": .string("supported")])
                $0.clientData["extra"] = .string("do not compare clientDataJSON against a template")
                $0.clientData["crossOrigin"] = .null
                $0.flags = 0x85
                $0.afterData = CBOREncoder.encode(.map([.text("credProtect"): .integer(2)]))
                $0.members["clientExtensionResults"] = .object(["credProps": .object(["rk": .bool(true)])])
            })
    }

    @Test func `step 22: a credential that the account has`() throws {
        let authenticator = TestAuthenticator()
        #expect(throws: WebAuthnError.registered) {
            try verify(authenticator.register(challenge), existing: [authenticator.credential()])
        }
    }

    @Test func `the credential id is the attested one, and has at most 1,023 bytes`() throws {
        #expect(throws: WebAuthnError.malformed("the credential id is not the attested one")) {
            try verify(
                TestAuthenticator().register(challenge) { ($0.members["id"], $0.members["rawId"]) = (.string("AAAA"), .string("AAAA")) })
        }
        let longest = try verify(TestAuthenticator().register(challenge) { $0.credentialID = [UInt8](repeating: 1, count: 1_023) })
        #expect(longest.id.count == 1_023)
        for size in [0, 1_024] {
            #expect(throws: WebAuthnError.self) {
                try verify(TestAuthenticator().register(challenge) { $0.credentialID = [UInt8](repeating: 1, count: size) })
            }
        }
    }

    @Test func `without attested data there is nothing to store`() throws {
        let data = SHA2.sha256(Array("app.example.com".utf8)) + [0x05, 0, 0, 0, 1]
        let object = CBOREncoder.encode(
            .map([.text("fmt"): .text("none"), .text("attStmt"): .map([:]), .text("authData"): .bytes(data)]))
        #expect(throws: WebAuthnError.malformed("the authenticator data has no credential")) {
            try verify(TestAuthenticator().register(challenge) { $0.attestation = { _ in object } })
        }
    }

    @Test func `the options are the JSON of WebAuthn Level 3`() throws {
        let options = CredentialCreationOptions(
            TestAuthenticator.relyingParty, uid: "uid", userName: "ada@example.com", displayName: "Ada", challenge: [1, 2, 3],
            verification: .required, existing: [FactorCredential(id: [4], publicKey: [], counter: 0, transports: ["usb"])])
        let handle = Base64URL.encode(SHA2.sha256(Array("gateway webauthn user v1\0uid".utf8)))
        #expect(
            options.json.serialized() == """
                {"attestation":"none","authenticatorSelection":{"requireResidentKey":false,"residentKey":"preferred",\
                "userVerification":"required"},"challenge":"AQID","excludeCredentials":[{"id":"BA","transports":["usb"],"type":"public-key"}],\
                "pubKeyCredParams":[{"alg":-7,"type":"public-key"},{"alg":-8,"type":"public-key"},{"alg":-257,"type":"public-key"}],\
                "rp":{"id":"app.example.com","name":"Example"},"timeout":300000,\
                "user":{"displayName":"Ada","id":"\(handle)","name":"ada@example.com"}}
                """)
    }
}

@Suite("WebAuthn: assertion (section 7.2)")
struct WebAuthnAssertionTests {
    private let challenge: [UInt8] = Array(0..<32)
    private let authenticator = TestAuthenticator()

    private func verify(
        _ json: JSONValue, _ credential: FactorCredential? = nil, _ verification: UserVerification = .required, isIdentified: Bool = true
    ) throws(WebAuthnError) -> UInt32 {
        try WebAuthnAssertion.verify(
            AuthenticationResponse(json), credential: credential ?? authenticator.credential(), uid: "uid", isIdentified: isIdentified,
            challenge: challenge, TestAuthenticator.relyingParty, verification)
    }

    @Test(arguments: TestAuthenticator.algorithms)
    func `a right assertion gives the counter to store`(algorithm: JWSAlgorithm) throws {
        let authenticator = TestAuthenticator(algorithm)
        #expect(try verify(authenticator.assert(challenge), authenticator.credential()) == 2)
    }

    @Test("a fault is refused at its step", arguments: FaultRow.ofBoth + ofAssertion)
    func faults(row: FaultRow) throws {
        let json = authenticator.assert(challenge, row.change)
        #expect(throws: row.error) { try verify(json) }
    }

    private static let ofAssertion: [FaultRow] = [
        FaultRow("step 5: another credential", .unknownCredential) { $0.credentialID = [1] },
        FaultRow("step 6: another user's handle", .userHandle) { $0.userHandle = .string("x") },
        FaultRow("step 11: a registration's client data", .type) { $0.type = "webauthn.create" },
        FaultRow("step 20: another key", .signature) { $0.signature = { TestAuthenticator().sign($0) } },
        FaultRow("step 20: a signature of nothing", .signature) { $0.signature = { _ in [0x30, 0x00] } },
        FaultRow("step 21: the same counter", .counter) { $0.counter = 1 },
        FaultRow("step 21: a smaller counter", .counter) { $0.counter = 0 },
        FaultRow("step 3: a registration's response", .malformed("authenticatorData is missing or no base64url")) {
            $0.responseMembers["authenticatorData"] = .null
        },
        FaultRow("step 8: no signature", .malformed("signature is missing or no base64url")) { $0.responseMembers["signature"] = .null },
        FaultRow("step 6: a user handle that is a number", .malformed("userHandle is missing or no base64url")) {
            $0.responseMembers["userHandle"] = .integer(1)
        },
        FaultRow("step 8: short authenticator data", .malformed("the authenticator data's length")) {
            $0.responseMembers["authenticatorData"] = .string("AAAA")
        },
    ]

    @Test func `step 20: the signature covers the authenticator data and the client data`() throws {
        for name in ["authenticatorData", "clientDataJSON"] {
            let one = authenticator.assert(challenge)
            let other = authenticator.assert(challenge) {
                $0.counter = 3
                $0.clientData["extra"] = .bool(true)
            }
            guard case .object(var members) = one, case .object(var response)? = members["response"] else { return }
            response[name] = other["response"]?[name]
            members["response"] = .object(response)
            #expect(throws: WebAuthnError.signature) { try verify(.object(members)) }
        }
    }

    @Test("step 20: an ECDSA signature has one spelling", arguments: ["raw", "trailing", "padded", "long length"])
    func spellings(kind: String) throws {
        let authenticator = authenticator
        let json = authenticator.assert(challenge) { fault in
            fault.signature = { message in
                let der = authenticator.sign(message)
                switch kind {
                case "raw": return ECDSASignature.raw(der, .p256) ?? []
                case "trailing": return der + [0]
                case "long length": return [0x30, 0x81] + der.dropFirst()
                default:
                    // One zero byte more before r.
                    return [0x30, der[1] + 1, 0x02, der[3] + 1, 0] + der[4...]
                }
            }
        }
        #expect(throws: WebAuthnError.signature) { try verify(json) }
    }

    private static let ownHandle = JSONValue.string(Base64URL.encode(RelyingParty.userHandle(uid: "uid")))

    @Test func `step 6: the user's own handle, and none, are accepted`() throws {
        for handle in [Self.ownHandle, .null] {
            #expect(try verify(authenticator.assert(challenge) { $0.responseMembers["userHandle"] = handle }) == 2)
        }
    }

    @Test func `step 6: a user who was not identified before is named by the handle`() throws {
        func verify(_ handle: JSONValue) throws -> UInt32 {
            try self.verify(authenticator.assert(challenge) { $0.responseMembers["userHandle"] = handle }, isIdentified: false)
        }
        #expect(try verify(Self.ownHandle) == 2)
        #expect(throws: WebAuthnError.noUserHandle) { try verify(.null) }
        let other = JSONValue.string(Base64URL.encode(RelyingParty.userHandle(uid: "eve")))
        #expect(throws: WebAuthnError.userHandle) { try verify(other) }
    }

    @Test func `step 9: a byte order mark is stripped`() throws {
        let json = authenticator.assert(challenge) {
            $0.rawClientData = [0xEF, 0xBB, 0xBF] + clientData(type: "webauthn.get", challenge)
        }
        #expect(try verify(json) == 2)
    }

    @Test func `step 18: extension outputs are ignored`() throws {
        let json = authenticator.assert(challenge) {
            $0.flags = 0x85
            $0.afterData = CBOREncoder.encode(.map([.text("uvm"): .array([])]))
            $0.members["clientExtensionResults"] = .object(["appid": .bool(true)])
        }
        #expect(try verify(json) == 2)
    }

    @Test func `step 21: an authenticator without a counter stays at zero, and one with a counter does not return to it`() throws {
        let zero = authenticator.assert(challenge) { $0.counter = 0 }
        #expect(try verify(zero, authenticator.credential(counter: 0)) == 0)
        #expect(throws: WebAuthnError.counter) { try verify(zero, authenticator.credential(counter: 1)) }
        let last = authenticator.assert(challenge) { $0.counter = .max }
        #expect(try verify(last, authenticator.credential(counter: .max - 1)) == .max)
    }

    @Test func `step 17 is skipped unless verification is required`() throws {
        for verification in [UserVerification.preferred, .discouraged] {
            #expect(try verify(authenticator.assert(challenge) { $0.flags = 0x01 }, nil, verification) == 2)
        }
    }

    @Test func `step 7: a damaged stored key is refused, not trusted`() {
        let credential = FactorCredential(id: authenticator.id, publicKey: [0xA0], counter: 1)
        #expect(throws: WebAuthnError.algorithm) { try verify(authenticator.assert(challenge), credential) }
    }

    @Test func `the options are the JSON of WebAuthn Level 3`() {
        let options = CredentialRequestOptions(
            TestAuthenticator.relyingParty, challenge: [1], verification: .discouraged,
            allowed: [FactorCredential(id: [4], publicKey: [], counter: 0)])
        #expect(
            options.json.serialized() == """
                {"allowCredentials":[{"id":"BA","type":"public-key"}],"challenge":"AQ","rpId":"app.example.com","timeout":300000,\
                "userVerification":"discouraged"}
                """)
    }
}
