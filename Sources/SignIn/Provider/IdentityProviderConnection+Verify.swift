package import TokenCrypto

/// A refusal that newer keys of the provider may turn into an acceptance.
package protocol KeyDependentRefusal: Error {
    var mayBeDueToOldKeys: Bool { get }
}

extension IDTokenRefusal: KeyDependentRefusal {
    package var mayBeDueToOldKeys: Bool { if case .signature(let error) = self { error.mayBeDueToOldKeys } else { false } }
}

extension BearerRefusal: KeyDependentRefusal {
    package var mayBeDueToOldKeys: Bool { if case .check(let refusal) = self { refusal.mayBeDueToOldKeys } else { false } }
}

extension LogoutRefusal: KeyDependentRefusal {
    package var mayBeDueToOldKeys: Bool { if case .check(let refusal) = self { refusal.mayBeDueToOldKeys } else { false } }
}

extension UserinfoResponse.Refusal: KeyDependentRefusal {
    package var mayBeDueToOldKeys: Bool { if case .signature(let refusal) = self { refusal.mayBeDueToOldKeys } else { false } }
}

/// The reason why a token did not verify.
package enum VerificationFailure<Refusal: KeyDependentRefusal>: Error {
    case refused(Refusal)
    /// Nothing is decided: the keys could not be fetched.
    case keysUnavailable(SignInError)
}

extension IdentityProviderConnection {
    /// Whether an allowed algorithm works with published keys; the others work with the client secret.
    private var usesPublishedKeys: Bool { self.endpoints.idTokenAlgorithms.contains { !$0.isSymmetric } }

    /// Runs `check` with the provider's keys, and once more with newer ones if the known ones may be too old: the `kid` is unknown, or the
    /// signature is bad under a known one, as after a restart of the provider with a new key under the old `kid`.
    package func verify<Value, Refusal: KeyDependentRefusal>(
        tokenFrom source: TokenSource, _ check: (JWKSet) throws(Refusal) -> Value
    ) async throws(VerificationFailure<Refusal>) -> Value {
        let known: ProviderKeys?
        do throws(SignInError) {
            known = self.usesPublishedKeys ? try await self.keys(for: source) : nil
        } catch {
            throw .keysUnavailable(error)
        }
        guard let known else {
            do throws(Refusal) { return try check(.empty) } catch { throw .refused(error) }
        }
        let refusal: Refusal
        do throws(Refusal) { return try check(known.keys) } catch { refusal = error }
        guard refusal.mayBeDueToOldKeys else { throw .refused(refusal) }
        let newer: ProviderKeys?
        do throws(SignInError) {
            newer = try await self.keys(newerThan: known.version, for: source)
        } catch {
            throw .keysUnavailable(error)
        }
        guard let newer else { throw .refused(refusal) }
        do throws(Refusal) { return try check(newer.keys) } catch { throw .refused(error) }
    }

    /// Verifies an answer of the provider's own endpoints; `refused` makes the error.
    func verify<Value, Refusal: KeyDependentRefusal>(
        _ check: (JWKSet) throws(Refusal) -> Value, refused: (Refusal) -> SignInError
    ) async throws(SignInError) -> Value {
        do throws(VerificationFailure<Refusal>) {
            return try await self.verify(tokenFrom: .provider, check)
        } catch {
            switch error {
            case .refused(let refusal): throw refused(refusal)
            case .keysUnavailable(let failure): throw failure
            }
        }
    }

    /// The known keys, for claims that only add to those of a token that verified.
    func currentKeys() async throws(SignInError) -> JWKSet {
        guard self.usesPublishedKeys else { return .empty }
        return try await self.keys(for: .provider)?.keys ?? .empty
    }
}
