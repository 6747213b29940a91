/// The second factors that the gateway keeps itself.
package struct SecondFactorConfiguration: Sendable {
    package enum Policy: String, Sendable, CaseIterable { case off, enrolled, required }

    package static let dailyMessages = 1...100_000

    package enum Factor: String, Sendable, CaseIterable { case totp, webauthn, recovery, phone }

    package var policy = Policy.enrolled
    /// In file order.
    package var factors: [Factor] = [.totp, .webauthn, .recovery]
    /// The endpoint that sends text messages.
    package var phone: HookConfiguration?
    /// Text messages in 24 hours, of all users.
    package var messagesPerDay = 1_000
    /// Milliseconds; nil: every sign-in asks.
    package var rememberBrowser: Int64?

    package init() {}

    package var isOn: Bool { policy != .off }
}

/// Whether a provider's own second factor counts.
package enum TrustedSecondFactor: String, Sendable, CaseIterable {
    case trusted

    package struct Rules: Sendable, Equatable {
        /// Values of `acr` that mean a second factor.
        package var classes: [String]

        package init(classes: [String] = []) { self.classes = classes }
    }
}
