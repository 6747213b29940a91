import Accounts
package import Backchannel
import HTTPWire
import Pages
import Primitives
package import SecondFactors
import Sessions
import Telemetry
import TokenCrypto

/// What `secondFactor` of the configuration says.
package struct SecondFactorSettings: Sendable {
    let policy: SecondFactorPolicy
    let relyingParty: RelyingParty
    /// By provider id: the accepted values of `acr`, of providers whose second factors count.
    let trusted: [String: [String]]
    /// Milliseconds; nil: every sign-in asks.
    let rememberBrowser: Int64?
    /// Sends text messages; nil without `secondFactor.phone`.
    let messages: TextMessages?

    package init(
        policy: SecondFactorPolicy, relyingParty: RelyingParty, trusted: [String: [String]], rememberBrowser: Int64?,
        messages: TextMessages?
    ) {
        self.policy = policy
        self.relyingParty = relyingParty
        self.trusted = trusted
        self.rememberBrowser = rememberBrowser
        self.messages = messages
    }
}

/// The operator's endpoint that sends text messages.
package struct TextMessages: Sendable {
    private let client: HookClient
    private let target: HookTarget
    /// The most in 24 hours, of all users.
    let perDay: Int

    package init(client: HookClient, target: HookTarget, perDay: Int) {
        self.client = client
        self.target = target
        self.perDay = perDay
    }

    /// Returns when the endpoint has taken the message.
    func send(_ code: MessageCode, _ message: CountedMessage, text: String) async throws(HookClient.Failure) {
        let body = JSONValue.object(["to": .string(message.number.text), "text": .string(text), "code": .string(code.text)])
        let answer = try await client.send(body.serializedBytes(), to: target)
        guard (200...299).contains(answer.status) else { throw .unusable("it answered with status \(answer.status)") }
    }
}

/// What the endpoints of second factors work with.
struct SecondFactorContext: Sendable {
    /// The value of `second_factor` where a trusted provider has asked for it.
    static let provider = "provider"
    /// Values for the session's `amr` then.
    static let providerMethods = ["mfa"]

    let settings: SecondFactorSettings
    let service: SecondFactorService

    init(_ settings: SecondFactorSettings, _ accounts: AccountService, _ ring: SealingKeyRing, attemptKey: [UInt8]) {
        self.settings = settings
        service = SecondFactorService(
            accounts: accounts, policy: settings.policy, relyingParty: settings.relyingParty, ring: ring, attemptKey: attemptKey,
            messagesPerDay: settings.messages?.perDay ?? 0)
    }

    var policy: SecondFactorPolicy { settings.policy }

    /// Whether the provider is trusted with second factors, and its ID token says that it asked for one.
    func isProven(by identity: ProviderIdentity) -> Bool {
        let accepted = settings.trusted[identity.provider]
        return ProviderSecondFactor.isProven(
            isTrusted: accepted != nil, amr: identity.claims["amr"]?.array?.compactMap(\.string) ?? [],
            acr: identity.claims["acr"]?.string, accepted: accepted ?? [])
    }
}

extension FactorHint {
    /// As in answers to programs (contract section 9).
    var json: JSONValue {
        .object([
            "id": .string(id), "type": .string(type.rawValue), "display_name": displayName.map { .string($0) } ?? .null,
            "phone": phone.map { .string($0) } ?? .null, "enrolled_at": .string(Timestamp.rfc3339(milliseconds: enrolledAt)),
        ])
    }

    func page(remainingCodes: Int? = nil) -> PageFactor {
        PageFactor(
            id: id, kind: PageFactor.Kind(type), displayName: displayName, phone: phone, enrolledAt: enrolledAt / 1_000,
            remainingCodes: type == .recovery ? remainingCodes : nil)
    }
}

extension PageFactor.Kind {
    init(_ type: FactorType) {
        switch type {
        case .totp: self = .totp
        case .webauthn: self = .webauthn
        case .phone: self = .phone
        case .recovery: self = .recovery
        }
    }
}
