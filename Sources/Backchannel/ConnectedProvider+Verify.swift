import SignIn
import TokenCrypto

/// A refusal that newer keys of the provider may turn into an acceptance.
protocol KeyDependentRefusal: Error {
    var mayBeDueToOldKeys: Bool { get }
}

extension IDTokenRefusal: KeyDependentRefusal {
    var mayBeDueToOldKeys: Bool { if case .signature(let error) = self { error.mayBeDueToOldKeys } else { false } }
}

extension BearerRefusal: KeyDependentRefusal {
    var mayBeDueToOldKeys: Bool { if case .check(let refusal) = self { refusal.mayBeDueToOldKeys } else { false } }
}

extension LogoutRefusal: KeyDependentRefusal {
    var mayBeDueToOldKeys: Bool { if case .check(let refusal) = self { refusal.mayBeDueToOldKeys } else { false } }
}

extension UserinfoResponse.Refusal: KeyDependentRefusal {
    var mayBeDueToOldKeys: Bool { if case .signature(let refusal) = self { refusal.mayBeDueToOldKeys } else { false } }
}

/// The reason why a token did not verify.
enum VerificationFailure<Refusal: KeyDependentRefusal>: Error {
    case refused(Refusal)
    /// Nothing is decided: the keys could not be fetched.
    case keysUnavailable(KeyCache.Failure)
}

extension ConnectedProvider {
    /// nil where every allowed algorithm works with the client secret.
    private var publishedKeys: KeyCache? { self.provider.idTokenAlgorithms.contains { !$0.isSymmetric } ? self.keys : nil }

    /// Runs `check` with the provider's keys, and once more with newer ones if the known ones may be too old: the `kid` is unknown, or the
    /// signature is bad under a known one, as after a restart of the provider with a new key under the old `kid`.
    func verify<Value, Refusal: KeyDependentRefusal>(
        tokenFrom source: TokenSource, _ check: (JWKSet) throws(Refusal) -> Value
    ) async throws(VerificationFailure<Refusal>) -> Value {
        guard let cache = self.publishedKeys else {
            do throws(Refusal) { return try check(.empty) } catch { throw .refused(error) }
        }
        let known: KeyCache.Copy
        do throws(KeyCache.Failure) { known = try await cache.current(for: source) } catch { throw .keysUnavailable(error) }
        let refusal: Refusal
        do throws(Refusal) { return try check(known.keys) } catch { refusal = error }
        guard refusal.mayBeDueToOldKeys else { throw .refused(refusal) }
        let newer: KeyCache.Copy?
        do throws(KeyCache.Failure) {
            newer = try await cache.newer(than: known.version, for: source)
        } catch {
            throw .keysUnavailable(error)
        }
        guard let newer else { throw .refused(refusal) }
        do throws(Refusal) { return try check(newer.keys) } catch { throw .refused(error) }
    }

    /// The known keys, for claims that only add to those of a token that verified.
    func currentKeys() async throws(KeyCache.Failure) -> JWKSet {
        guard let cache = self.publishedKeys else { return .empty }
        return try await cache.current(for: .provider).keys
    }
}
