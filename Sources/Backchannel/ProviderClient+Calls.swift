import Primitives
import Providers
import SignIn
import Synchronization
import TokenCrypto

/// The last nonce of each origin (RFC 9449 sections 8.2 and 9): one for the authorization server, one for each server of an API.
final class ProofNonces: Sendable {
    private let nonces = Mutex<[String: String]>([:])

    func current(for url: String) -> String? { self.nonces.withLock { $0[Self.origin(url)] } }

    /// Takes the nonce that came with an answer, whatever its status.
    func adopt(_ nonce: String?, from url: String) {
        guard let nonce else { return }
        self.nonces.withLock { $0[Self.origin(url)] = nonce }
    }

    private static func origin(_ url: String) -> String { AbsoluteURL(url)?.origin.text ?? url }
}

extension ProviderClient {
    /// A form with the client's authentication, and a proof where there is a key. A server that asks for a nonce gets it once
    /// (RFC 9449 section 8): a second refusal is the answer.
    func post(
        to url: String, _ fields: [(name: String, value: String)], connected: ConnectedProvider, proofKey: ProofKey? = nil,
        calling what: String
    ) async throws(SignInError) -> ProviderAnswer {
        try await self.proven(proofKey, url: url, calling: what, wantsNonce: Self.asksForNonce) { nonce in
            let (headers, fields) = connected.credentials.applied(to: fields, now: self.now())
            let proof = proofKey?.proof(method: "POST", url: url, nonce: nonce, now: self.now())
            return .form(url, fields, headers: headers + (proof.map { [("DPoP", $0)] } ?? []))
        }
    }

    /// RFC 6750 section 2.1: the token goes into the header and nowhere else; one that is bound with its proof (RFC 9449 section 7.1).
    func get(
        _ url: String, _ access: AccessCredential, headers: [(name: String, value: String)] = [], calling what: String
    ) async throws(SignInError) -> ProviderAnswer {
        let headers = self.settings.apiHeaders + headers
        return try await self.proven(access.proofKey, url: url, calling: what, wantsNonce: { $0.status == 401 }) { nonce in
            guard let key = access.proofKey else {
                return .get(url, headers: headers + [("Authorization", "Bearer " + access.token)])
            }
            let proof = key.proof(method: "GET", url: url, nonce: nonce, accessToken: access.token, now: self.now())
            return .get(url, headers: headers + [("Authorization", "DPoP " + access.token), ("DPoP", proof)])
        }
    }

    private func proven(
        _ key: ProofKey?, url: String, calling what: String, wantsNonce: (ProviderAnswer) -> Bool,
        _ request: (String?) -> ProviderTransport.Request
    ) async throws(SignInError) -> ProviderAnswer {
        do {
            guard key != nil else { return try await self.transport.send(request(nil)) }
            let used = self.proofNonces.current(for: url)
            let answer = try await self.transport.send(request(used))
            self.proofNonces.adopt(answer.dpopNonce, from: url)
            guard let nonce = answer.dpopNonce, nonce != used, wantsNonce(answer) else { return answer }
            let second = try await self.transport.send(request(nonce))
            self.proofNonces.adopt(second.dpopNonce, from: url)
            return second
        } catch {
            throw error.signInError(provider: self.settings.id, calling: what)
        }
    }

    private static func asksForNonce(_ answer: ProviderAnswer) -> Bool {
        guard answer.status == 400 || answer.status == 401, answer.isJSON, let json = try? JSONValue(parsing: answer.body) else {
            return false
        }
        return json["error"]?.string == "use_dpop_nonce"
    }
}
