package import Accounts
package import TokenCrypto

/// The sign-in with a passkey instead of the password: possession and user verification, so both factors at once.
extension SecondFactorService {
    /// Begins a sign-in. `uid`: the account that signs in again; nil: the authenticator offers its passkeys for this site.
    package func startPasskey(
        for uid: String?, now: Int64
    ) async throws(AccountError) -> (pending: PendingPasskey, options: CredentialRequestOptions) {
        guard policy.mode != .off, policy.types.contains(.webauthn) else { throw AccountError(.operationNotAllowed) }
        var facts: AccountFactors?
        if let uid { facts = try await accounts.factors(uid) }
        let allowed = facts?.factors.compactMap(\.credential) ?? []
        guard uid == nil || !allowed.isEmpty else { throw AccountError(.multiFactorInfoNotFound) }
        let pending = PendingPasskey(PasskeyChallenge(), of: facts?.account, now: now, random: random)
        return (
            pending,
            CredentialRequestOptions(relyingParty, challenge: pending.challenge, verification: .required, allowed: allowed)
        )
    }

    /// Checks the assertion and uses it up: of parallel ones, one succeeds. Whether the account may sign in is decided after it.
    ///
    /// The answer to an unknown passkey is the one to a wrong signature.
    package func verifyPasskey(_ answer: JSONValue, _ pending: PendingPasskey, now: Int64) async throws(AccountError) -> VerifiedPasskey {
        let response: AuthenticationResponse
        do throws(WebAuthnError) {
            response = try AuthenticationResponse(answer)
        } catch {
            throw AccountError(.invalidCredential, reason: error.reason)
        }
        guard let candidate = try await accounts.account(withPasskey: response.id) else {
            throw AccountError(.invalidCredential, reason: WebAuthnError.unknownCredential.reason)
        }
        let passkey: VerifiedPasskey
        do throws(WebAuthnError) {
            passkey = try candidate.verified { credential throws(WebAuthnError) in
                try WebAuthnAssertion.verify(
                    response, credential: credential, uid: candidate.account.uid, isIdentified: pending.uid == candidate.account.uid,
                    challenge: pending.challenge, relyingParty, .required)
            }
        } catch {
            throw AccountError(.invalidCredential, reason: error.reason)
        }
        // The store uses nothing up for a disabled account.
        guard !candidate.account.isDisabled else { throw AccountError(.userDisabled) }
        try await accounts.use(passkey, once: pending.mark, now: now)
        return passkey
    }
}

extension VerifiedPasskey {
    /// The passkey as the second factor of the session.
    package var secondFactor: VerifiedSecondFactor { VerifiedSecondFactor(uid: uid, factor: factor, type: .webauthn) }
}
