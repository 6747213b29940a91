import Primitives
import Accounts
import Backchannel
import Config
import Endpoints
import SecondFactors

extension SecondFactorSettings {
    /// nil without second factors of the gateway's own.
    init?(_ configuration: Configuration, _ hooks: HookClient) {
        guard let settings = configuration.secondFactor, settings.isOn, let publicURL = configuration.server.publicURL else { return nil }
        let types = settings.factors.filter { $0 != .phone || settings.phone != nil }.map(FactorType.init)
        self.init(
            policy: SecondFactorPolicy(mode: settings.policy == .required ? .required : .enrolled, types: types),
            relyingParty: RelyingParty(publicURL, name: configuration.pages.siteName ?? publicURL.host),
            trusted: configuration.trustedSecondFactors,
            rememberBrowser: settings.rememberBrowser,
            messages: settings.phone.map { TextMessages(client: hooks, target: HookTarget($0), perDay: settings.messagesPerDay) })
    }
}

extension FactorType {
    fileprivate init(_ factor: SecondFactorConfiguration.Factor) {
        switch factor {
        case .totp: self = .totp
        case .webauthn: self = .webauthn
        case .phone: self = .phone
        case .recovery: self = .recovery
        }
    }
}
