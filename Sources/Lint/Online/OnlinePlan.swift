import Primitives
package import Config
package import Diagnostics
import Providers
import TokenCrypto

/// An app's address and its TLS settings.
package struct OnlineUpstream: Sendable, Hashable {
    package let address: UpstreamAddress
    package let tls: UpstreamTLSConfiguration

    init(address: UpstreamAddress, tls: UpstreamTLSConfiguration) {
        self.address = address
        self.tls = address.scheme == .https ? tls : UpstreamTLSConfiguration()
    }
}

extension LintContext.Upstream {
    var online: [OnlineUpstream] { targets.map { OnlineUpstream(address: $0.address, tls: tls) } }
}

/// What `gateway validate --online` contacts. Only stores get a secret: their own password.
package struct OnlinePlan: Sendable {
    package struct Provider: Sendable {
        package let id: String
        /// The discovery URL; nil with configured endpoints, and for plain OAuth 2.0.
        package let discoveryURL: String?
        fileprivate let configuredKeysURL: String?

        /// The address of the keys, from the configuration or else from the discovery document. Nil unless it is https (http
        /// is allowed on loopback).
        package func keysURL(discovery: OnlineAnswers.Fetch?) -> String? {
            let url = configuredKeysURL ?? discovery.flatMap { OnlineMetadata($0)?.endpoint("jwks_uri") }
            guard let url, let parsed = AbsoluteURL(url, allowing: [.fragment, .quotes]), parsed.isTrustworthyTransport else { return nil }
            return url
        }
    }

    package let providers: [Provider]
    /// The distinct upstream addresses.
    package let upstreams: [OnlineUpstream]
    /// The session store; nil without one, and if its URL could not be read.
    package let store: SessionStoreConfiguration?
    /// The account store; nil without one, and if its URL could not be read.
    package let accountStore: AccountStoreLocation?

    package init(_ source: SourceFile, surroundings: Surroundings) {
        let reading = ConfigReader.read(source, surroundings: surroundings)
        guard let root = reading.document.root else {
            providers = []
            upstreams = []
            store = nil
            accountStore = nil
            return
        }
        let context = LintContext(document: reading.document, root: root, configuration: reading.draft, surroundings: surroundings)
        providers = context.providers.compactMap { provider in
            // Do not contact addresses that could not be read.
            guard provider.configuration.enabled, let settings = provider.settings, settings.kind == .oidc,
                !provider.object.members.contains(where: { $0.item.isUnreadable })
            else { return nil }
            return Provider(id: provider.id, discoveryURL: settings.discoveryURL, configuredKeysURL: settings.endpoints.jwks)
        }
        var seen = Set<OnlineUpstream>()
        upstreams = context.upstreams.flatMap(\.online).filter { seen.insert($0).inserted }
        store = context.sessionStoreURL?.text == nil ? nil : reading.draft.session.store.flatMap { $0.url.exposed.isEmpty ? nil : $0 }
        accountStore = context.accounts?["store"]?.text == nil ? nil : reading.draft.accounts?.store
    }
}
