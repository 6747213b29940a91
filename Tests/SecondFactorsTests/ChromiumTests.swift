import Accounts
import Primitives
import Testing
import TokenCrypto

@testable import SecondFactors

@Suite("WebAuthn: what Chromium sends")
struct ChromiumTests {
    @Test(arguments: ChromiumVector.all)
    func `a registration and an assertion of each algorithm are accepted`(vector: ChromiumVector) throws {
        let port = try #require(Int(ChromiumVector.origin.split(separator: ":").last ?? ""))
        let relyingParty = RelyingParty(Origin(scheme: "http", host: "localhost", port: port), name: "Example")
        let challenge = [UInt8](0..<32)
        let registration = response(
            vector, ["clientDataJSON": vector.registrationClientData, "attestationObject": vector.attestationObject])
        let credential = try WebAuthnRegistration.verify(
            RegistrationResponse(registration), challenge: challenge, relyingParty, .required, existing: [])
        #expect(try COSEKey(decoding: credential.publicKey).algorithm == vector.algorithm)
        #expect(credential.counter == 1 && credential.id == Base64URL.decode(vector.id))
        let assertion = response(
            vector,
            [
                "clientDataJSON": vector.assertionClientData, "authenticatorData": vector.authenticatorData, "signature": vector.signature,
            ])
        let counter = try WebAuthnAssertion.verify(
            AuthenticationResponse(assertion), credential: credential, uid: "uid", challenge: challenge, relyingParty, .required)
        #expect(counter == 2)
    }

    private func response(_ vector: ChromiumVector, _ members: [String: String]) -> JSONValue {
        .object([
            "id": .string(vector.id), "rawId": .string(vector.id), "type": .string("public-key"),
            "response": .object(members.mapValues { .string($0) }), "clientExtensionResults": .object([:]),
        ])
    }
}
