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

    package init(client: HookClient, target: HookTarget) {
        self.client = client
        self.target = target
    }

    /// Returns when the endpoint has taken the message.
    func send(_ code: MessageCode, to number: PhoneNumber, text: String) async throws(HookClient.Failure) {
        let body = JSONValue.object(["to": .string(number.text), "text": .string(text), "code": .string(code.text)])
        let answer = try await client.send(body.serializedBytes(), to: target)
        guard (200...299).contains(answer.status) else { throw .unusable("it answered with status \(answer.status)") }
    }
}

/// What the endpoints of second factors work with.
struct SecondFactorContext: Sendable {
    /// The value of `second_factor` where a trusted provider has asked for it.
    static let provider = "provider"

    let settings: SecondFactorSettings
    let service: SecondFactorService
    let ring: SealingKeyRing

    init(_ settings: SecondFactorSettings, _ accounts: AccountService, _ ring: SealingKeyRing, attemptKey: [UInt8]) {
        self.settings = settings
        self.ring = ring
        service = SecondFactorService(
            accounts: accounts, policy: settings.policy, relyingParty: settings.relyingParty, ring: ring, attemptKey: attemptKey)
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

/// The cookies with a sign-in that waits for its second factor. Sealed; the name of the first is part of the seal.
enum FactorCookies {
    private static let pieceSize = 3_900
    private static let most = 5

    private static func browser(_ cookies: SessionCookies) -> [UInt8] { Array(cookies.factorCookieName(0).utf8) }

    /// The `Set-Cookie` lines; nil if it does not fit.
    static func lines(
        _ pending: PendingSecondFactor, _ cookies: SessionCookies, _ ring: SealingKeyRing, existing: [String]
    ) -> [String]? {
        var rest = pending.sealed(with: ring, browser: browser(cookies))[...]
        guard rest.utf8.count <= pieceSize * most else { return nil }
        var lines: [String] = []
        while !rest.isEmpty {
            let name = cookies.factorCookieName(lines.count)
            lines.append(
                cookies.cookie(named: name, value: String(rest.prefix(pieceSize)), maxAge: PendingSecondFactor.lifetime / 1_000)
                    .headerValue())
            rest = rest.dropFirst(pieceSize)
        }
        // Pieces of a longer one before.
        let kept = Set((0..<lines.count).map(cookies.factorCookieName))
        return lines + deletions(existing.filter { !kept.contains($0) }, cookies)
    }

    static func deletions(_ existing: [String], _ cookies: SessionCookies) -> [String] {
        (0..<most).map(cookies.factorCookieName).filter(existing.contains).map {
            cookies.cookie(named: $0, value: "").deleting().headerValue()
        }
    }

    /// The sign-in that waits; nil without one that was sealed here and has not expired.
    static func open(
        _ request: [(name: String, value: String)], _ cookies: SessionCookies, _ ring: SealingKeyRing, now: Int64
    ) -> PendingSecondFactor? {
        var text = ""
        for index in 0..<most {
            let values = request.filter { $0.name == cookies.factorCookieName(index) }.map(\.value)
            // Two cookies of one name: someone else set one of them.
            guard values.count == 1, values[0].utf8.count <= pieceSize else { break }
            text += values[0]
        }
        return text.isEmpty ? nil : PendingSecondFactor.open(text, with: ring, browser: browser(cookies), now: now)
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
