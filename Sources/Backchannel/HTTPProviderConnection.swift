import Logging
import Providers
package import SignIn

extension ProviderClient: IdentityProvider {
    package func connect() async throws(SignInError) -> any IdentityProviderConnection {
        do {
            return self.connection(try await self.connection.connection())
        } catch {
            throw error.signInError(provider: self.settings.id)
        }
    }

    func connection(_ connected: ConnectedProvider) -> HTTPProviderConnection {
        HTTPProviderConnection(client: self, connected: connected, settings: self.currentSettings)
    }
}

/// A provider's endpoints, called over HTTP.
struct HTTPProviderConnection: IdentityProviderConnection {
    let client: ProviderClient
    let connected: ConnectedProvider
    let settings: ProviderSettings

    var endpoints: ResolvedProvider { self.connected.provider }
    var verifier: IDTokenVerifier? { self.connected.verifier }

    func post(
        _ fields: [(name: String, value: String)], to url: String, proofKey: ProofKey?, calling what: String
    ) async throws(SignInError) -> ProviderAnswer {
        try await self.client.post(to: url, fields, connected: self.connected, proofKey: proofKey, calling: what)
    }

    func get(
        _ url: String, _ access: AccessCredential, headers: [(name: String, value: String)], calling what: String
    ) async throws(SignInError) -> ProviderAnswer {
        try await self.client.get(url, access, headers: headers, calling: what)
    }

    func keys(for source: TokenSource) async throws(SignInError) -> ProviderKeys? {
        do throws(KeyCache.Failure) {
            return try await self.connected.keys?.current(for: source).providerKeys
        } catch {
            throw error.signInError(provider: self.settings.id)
        }
    }

    func keys(newerThan version: Int, for source: TokenSource) async throws(SignInError) -> ProviderKeys? {
        do throws(KeyCache.Failure) {
            return try await self.connected.keys?.newer(than: version, for: source)?.providerKeys
        } catch {
            throw error.signInError(provider: self.settings.id)
        }
    }

    func report(_ notice: ProviderNotice) {
        switch notice {
        case .groupsLeftOut(let reason, let read):
            self.client.logger.warning(
                "Some of a user's groups could not be read and were left out",
                metadata: ["gw.provider": "\(self.settings.id)", "gw.reason": "\(reason)", "gw.read": "\(read)"])
        case .otherAuthTimeAtRefresh:
            guard self.client.connection.warnings.isFirst(notice) else { return }
            self.client.logger.warning(
                """
                The provider's refreshed ID tokens have another auth_time than those of the sign-in, which OpenID Connect Core 1.0 \
                section 12.2 forbids; sessions keep the time of the sign-in. This is reported once
                """, metadata: ["gw.provider": "\(self.settings.id)"])
        }
    }
}

extension KeyCache.Copy {
    fileprivate var providerKeys: ProviderKeys { ProviderKeys(keys: self.keys, version: self.version) }
}
