import Primitives

import Providers
package import SignIn
import Synchronization
import TokenCrypto

/// The outcome of verifying a request's token.
package enum BearerOutcome: Sendable {
    case verified(VerifiedIdentity, VerifiedBearer)
    case refused(BearerRefusal)
    /// The provider cannot be asked: nothing is decided. The reason is for the log.
    case unavailable(reason: String)
}

extension ProviderClient {
    /// Whether a token that names this issuer can be this provider's; nil is a token that names none.
    package func mayHaveIssued(_ issuer: String?) -> Bool {
        guard let own = self.settings.issuer else { return true }
        guard let issuer else { return true }
        return ([own] + self.settings.issuerAliases).contains { sameBytes($0, issuer) }
    }

    /// Whether a token of this form is looked up at the provider instead of verified here.
    package func introspects(_ form: BearerShape.Form) -> Bool { form != .idToken && self.settings.accessTokens?.introspects == true }

    /// Whether the identities of this provider still have this issuer.
    ///
    /// Before discovery, the tenant of a domain is unknown, and every tenant of its authority matches.
    package func vouches(forIssuer issuer: String) -> Bool {
        if let tenants = self.settings.tenantIssuers {
            return tenants.mayBe(issuer, metadataIssuer: self.connection.connected?.provider.metadataIssuer)
        }
        return [self.settings.identityIssuer, self.settings.issuer].contains { $0.map { sameBytes($0, issuer) } == true }
    }

    /// Verifies an ID token or access token. Never discovers a provider: one that is not known after its first attempt is `unavailable`.
    /// `KeyLookUps` bounds how often keys are fetched, however many tokens clients send.
    ///
    /// `client`: whose share of the introspection requests a look-up takes; only a look-up takes any.
    package func verifyBearer(_ compact: String, form: BearerShape.Form, for client: String) async -> BearerOutcome {
        guard let connected = await self.connection.connectionAfterFirstAttempt() else {
            return .unavailable(reason: "the provider has not been reached yet")
        }
        if self.introspects(form) { return await self.introspect(compact, for: client, connected: connected) }
        guard form != .opaque, let verifier = connected.verifier else { return .refused(.opaque) }
        let bearer = BearerVerifier(verifier, settings: self.settings)
        do throws(VerificationFailure<BearerRefusal>) {
            return self.identified(
                try await self.connection(connected).verify(tokenFrom: .request) { (keys) throws(BearerRefusal) in
                    form == .idToken
                        ? try bearer.verifyIDToken(compact, keys: keys, now: self.now())
                        : try bearer.verifyAccessToken(compact, keys: keys, now: self.now())
                })
        } catch {
            switch error {
            // An access token may look like an ID token; what it is for tells them apart, and the provider has the word.
            case .refused(.check(.audience)) where self.settings.accessTokens?.introspects == true:
                return await self.introspect(compact, for: client, connected: connected)
            case .refused(let refusal): return .refused(refusal)
            case .keysUnavailable(let failure): return .unavailable(reason: failure.reason)
            }
        }
    }

    private func identified(_ bearer: VerifiedBearer) -> BearerOutcome {
        do throws(IdentityMapper.Refusal) {
            return .verified(try IdentityMapper(settings: self.settings).identity(bearer), bearer)
        } catch {
            return .refused(.identity)
        }
    }

    /// RFC 7662 section 2. Anything but a readable answer leaves the token undecided.
    private func introspect(_ token: String, for client: String, connected: ConnectedProvider) async -> BearerOutcome {
        guard let endpoint = connected.provider.introspection else { return .unavailable(reason: "no introspection endpoint is known") }
        guard self.connection.introspections.withLock({ $0.take(for: client) }) else {
            return .unavailable(reason: "this client's share of the introspection requests is in use")
        }
        defer { self.connection.introspections.withLock { $0.release(for: client) } }
        let answer: ProviderAnswer
        do throws(SignInError) {
            answer = try await self.post(
                to: endpoint, [("token", token), ("token_type_hint", "access_token")], connected: connected,
                calling: "the introspection endpoint")
        } catch {
            return .unavailable(reason: error.reason)
        }
        guard answer.status == 200 else { return .unavailable(reason: "the introspection endpoint answered with status \(answer.status)") }
        guard answer.isJSON, let json = try? JSONValue(parsing: answer.body), json["active"]?.bool != nil else {
            return .unavailable(reason: "the introspection response is not valid JSON")
        }
        do throws(BearerRefusal) {
            return self.identified(
                try BearerVerifier.verifyIntrospection(
                    json, settings: self.settings, issuer: self.settings.identityIssuer, now: self.now()))
        } catch {
            return .refused(error)
        }
    }
}
