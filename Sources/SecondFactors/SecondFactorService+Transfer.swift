package import Accounts

/// Second factors on their way out of a store and into another, in clear between the two.
extension SecondFactorService {
    /// The account's factors for an export. Fails if a secret cannot be opened with any of the keys.
    package func exported(uid: String) async throws(AccountError) -> [FactorDocument] {
        guard let facts = try await accounts.factors(uid) else { return [] }
        let codes = facts.factors.contains { $0.type == .recovery } ? try await accounts.recoveryCodes(uid) : []
        var documents: [FactorDocument] = []
        for factor in facts.factors {
            let secret = secret(of: factor, uid: uid)
            guard secret != nil || factor.sealedSecret == nil else { throw Self.unreadable }
            var bare = factor
            bare.sealedSecret = nil
            documents.append(FactorDocument(factor: bare, secret: secret, recoveryCodes: factor.type == .recovery ? codes : []))
        }
        return documents
    }

    /// The factor as the store keeps it, sealed with the first key.
    package func imported(_ document: FactorDocument, uid: String) throws(AccountError) -> Factor {
        func problem(_ reason: String) -> AccountError { AccountError(.operationNotAllowed, reason: reason) }
        var factor = document.factor
        switch (factor.type, document.secret) {
        case (.totp, let secret?):
            guard (10...64).contains(secret.count) else { throw problem("the secret of an app has fewer than 10 or more than 64 bytes") }
        case (.phone, let number?):
            guard PhoneNumber(String(decoding: number, as: UTF8.self)) != nil else {
                throw problem("the phone number of a second factor is not in the form +4915112345678")
            }
        case (.webauthn, nil):
            guard let key = factor.credential?.publicKey, (try? COSEKey(decoding: key)) != nil else {
                throw problem("the public key of a passkey is not a COSE key of ES256, EdDSA or RS256")
            }
        case (.recovery, nil): break
        default: throw problem("a second factor has no secret")
        }
        factor.sealedSecret = document.secret.map { seal($0, factor: factor.id, uid: uid) }
        return factor
    }
}
