import Primitives
import Config
import Diagnostics
import Providers

/// The answers that `gateway init` makes a configuration from. An answer that is missing becomes a default or a placeholder.
package struct StarterAnswers: Sendable {
    /// One question of `gateway init`, in the order in which it asks them. The raw value is the option without its dashes.
    package enum Question: String, Sendable, CaseIterable {
        case publicURL = "public-url"
        case upstream
        case provider
        case issuer
        case baseURL = "base-url"
        case realm
        case tenant
        case clientID = "client-id"
        case allow
    }

    /// Why an answer cannot be used.
    package struct Problem: Error, Sendable {
        package let message: String
        package let help: String?
    }

    private var answers: [Question: String] = [:]
    private(set) var allowed: StarterAccess?

    package init() {}

    package subscript(question: Question) -> String? { answers[question] }

    /// Whether the question has a meaning for the provider.
    package func concerns(_ question: Question) -> Bool {
        switch question {
        case .issuer: preset.requires.contains(.issuer)
        case .baseURL: preset.requires.contains(.baseURL) || preset.baseURL != nil
        case .realm: preset.requires.contains(.realm)
        case .tenant: preset.requires.contains(.tenant)
        case .publicURL, .upstream, .provider, .clientID, .allow: true
        }
    }

    /// Whether to ask: a base URL that the preset knows is right for most users.
    package func isOpen(_ question: Question) -> Bool {
        answers[question] == nil && concerns(question) && (question != .baseURL || preset.requires.contains(.baseURL))
    }

    /// Takes an answer if the linter finds no error in a configuration with it.
    package mutating func set(_ question: Question, to text: String) throws(Problem) {
        guard !text.isEmpty else { throw Problem(message: "--\(question.rawValue) is empty", help: nil) }
        var changed = self
        changed.answers[question] = text
        switch question {
        case .provider: try Self.checkProvider(text)
        case .allow: changed.allowed = try StarterAccess(text)
        default: break
        }
        for other in Question.allCases where changed.answers[other] != nil && !changed.concerns(other) {
            throw Problem(message: "`\(changed.providerID.text)` has no \(other.rawValue)", help: "leave out --\(other.rawValue)")
        }
        if let finding = StarterConfiguration(changed).defects.first {
            throw Problem(message: finding.message, help: finding.help)
        }
        self = changed
    }

    private static func checkProvider(_ text: String) throws(Problem) {
        if case .success(let id) = ProviderIDCheck.read(text), ProviderCatalogue.preset(for: id) != nil { return }
        let near = ProviderCatalogue.suggestion(for: text) ?? ProviderIDCheck.suggestion(for: text)
        throw Problem(
            message: "there is no provider `\(text)`",
            help: (near.map { "did you mean `\($0)`? " } ?? "write oidc.NAME for any OpenID Connect provider; ")
                + "`gateway providers` lists the presets")
    }

    // MARK: The answers, defaults filled in

    package var publicURL: String { answers[.publicURL] ?? Self.defaultPublicURL }

    package static let defaultPublicURL = "http://localhost:4180"

    /// The app's usual port, or another one where the gateway itself listens there.
    package var upstream: String { answers[.upstream] ?? "http://127.0.0.1:\(listenPort == 8080 ? 3000 : 8080)" }

    var providerID: ProviderID {
        guard let text = answers[.provider], case .success(let id) = ProviderIDCheck.read(text) else { return .example }
        return id
    }

    /// What to call the provider.
    package var providerName: String { providerID.isGeneric ? "the provider" : preset.displayName }

    var preset: ProviderPreset { ProviderCatalogue.preset(for: providerID) ?? .genericOIDC }

    private var publicAddress: AbsoluteURL? { AbsoluteURL(publicURL, allowing: .all) }

    /// Browsers reach an http address directly, and an https one through the proxy that terminates TLS.
    var isBehindProxy: Bool { publicAddress?.isSecure ?? true }

    var listen: String {
        let host = isBehindProxy ? "127.0.0.1" : publicAddress?.host ?? "127.0.0.1"
        return "\(host == "localhost" ? "127.0.0.1" : host):\(listenPort)"
    }

    private var listenPort: Int {
        guard isBehindProxy else { return publicAddress?.port ?? 4180 }
        return answers[.upstream].flatMap { AbsoluteURL($0, schemes: ["http", "https", "h2c"], allowing: .all)?.port } == 4180 ? 4181 : 4180
    }

    var redirectURI: String { ProviderSettings.redirectURI(for: providerID.text, redirectBase: publicURL + "/_gateway") }

    /// Whether anyone in the world can sign in with the provider.
    var admitsAnyone: Bool {
        let site = ProviderSettings.Site(
            issuer: answers[.issuer], baseURL: answers[.baseURL], tenant: answers[.tenant], realm: answers[.realm], apiVersion: nil)
        return ProviderSettings(id: providerID.text, preset: preset, site: site, clientID: "", redirectBase: "").admitsAnyone
    }
}

/// Who may enter: everyone who signs in, or users with one of the addresses or groups.
struct StarterAccess: Sendable, Equatable {
    private(set) var isEveryone = false
    private(set) var emails: [String] = []
    private(set) var groups: [String] = []

    /// Reads `everyone`, or addresses, domains and `group:NAME`, separated by commas or spaces.
    init(_ text: String) throws(StarterAnswers.Problem) {
        let items = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
        for item in items {
            if item == "everyone" {
                isEveryone = true
            } else if item.hasPrefix("group:"), item.utf8.count > 6 {
                groups.append(String(item.dropFirst(6)))
            } else if item.contains("@") {
                emails.append(item.hasPrefix("@") ? "*" + item : item)
            } else if item.contains("."), !item.hasPrefix("*") {
                emails.append("*@" + item)
            } else {
                throw StarterAnswers.Problem(
                    message: "`\(item)` is no e-mail address, domain or group",
                    help: "write alice@example.com, example.com, group:\(item.filter { $0.isLetter || $0.isNumber }) or everyone")
            }
        }
        guard !items.isEmpty else {
            throw StarterAnswers.Problem(message: "nobody may enter", help: "name an e-mail address, a domain, group:NAME or everyone")
        }
        guard !isEveryone || items.count == 1 else {
            throw StarterAnswers.Problem(message: "`everyone` includes the rest", help: "write everyone alone, or leave it out")
        }
    }
}
