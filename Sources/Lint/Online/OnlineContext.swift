import Config
import Diagnostics
import Providers

/// A configuration file with the network results for it.
struct OnlineContext {
    struct Provider {
        var provider: LintContext.Provider
        var settings: ProviderSettings
        var answers: OnlineAnswers.Provider
        /// The discovery document; nil if unusable.
        var metadata: OnlineMetadata?

        var id: String { provider.id }

        /// The location for findings about the provider's address.
        var addressSpan: SourceSpan {
            for key in ["issuer", "baseURL", "tenant", "realm"] {
                if let item = provider.object[key] { return item.referenceSpan }
            }
            return provider.idSpan
        }
    }

    var lint: LintContext
    var providers: [Provider]
    var answers: OnlineAnswers

    init(_ lint: LintContext, _ answers: OnlineAnswers) {
        self.lint = lint
        self.answers = answers
        providers = lint.providers.compactMap { provider in
            guard let settings = provider.settings, let own = answers.providers[provider.id] else { return nil }
            let metadata = own.discovery.flatMap { OnlineMetadata($0) }
            return Provider(
                provider: provider, settings: settings, answers: own, metadata: metadata?.problem == nil ? metadata : nil)
        }
    }

    /// Text from the network, shortened for a message.
    static func shown(_ text: String) -> String {
        "`\(text.unicodeScalars.count > 200 ? String(text.unicodeScalars.prefix(199)) + "…" : text)`"
    }
}
