package import Accounts
import TokenCrypto

/// The browser whose user ticked "do not ask again on this browser" (`secondFactor.rememberBrowser`).
package enum RememberedBrowser {
    private static let purpose = "remembered browser"
    /// The longest time that the configuration takes, 100 years, in milliseconds.
    private static let greatestLifetime: Int64 = 36_500 * 86_400_000

    /// When the browser began to be remembered. What ends the account's sessions afterwards makes it unknown: ask `AccountService.hasEnding`.
    package struct Beginning: Sendable, Equatable {
        /// When the sign-in or step-up began, Unix milliseconds.
        package let time: Int64
        /// The number of the store's last ending, read before the factor was used: every reset, `users revoke` and `disable` adds one.
        package let ending: Int64

        package init(time: Int64, ending: Int64) {
            self.time = time
            self.ending = ending
        }
    }

    /// The text for a cookie. `factor`: the one that was used. `lifetime`: milliseconds.
    package static func sealed(
        uid: String, factor: String, _ beginning: Beginning, lifetime: Int64, now: Int64, with seal: BrowserSeal,
        for browser: BrowserBinding
    ) -> String {
        seal.seal(
            [
                "uid": .string(uid), "factor": .string(factor), "at": .integer(beginning.time), "end": .integer(beginning.ending),
                "exp": .integer(now + lifetime),
            ], purpose, for: browser)
    }

    /// Since when the browser is remembered, if the cookie is for this account, has not expired, and the factor that was used then still
    /// exists; nil otherwise.
    package static func beginning(
        _ text: String, _ account: AccountFactors, with seal: BrowserSeal, for browser: BrowserBinding, now: Int64
    ) -> Beginning? {
        let uid = account.account.uid
        guard let members = open(text, uid, with: seal, for: browser), let factor = members["factor"]?.string,
            let expiresAt = members["exp"]?.integer, now < expiresAt, account.factor(factor) != nil
        else { return nil }
        // A cookie of an earlier build has neither a number nor a time of its own. The lifetime that it was made with may have been longer
        // than today's, so it begins as early as it can have begun.
        return Beginning(
            time: members["at"]?.integer ?? expiresAt.subtractingReportingOverflow(greatestLifetime).partialValue,
            ending: members["end"]?.integer ?? .max)
    }

    /// Cookies of earlier builds open until they expire: they were sealed for the account alone.
    private static func open(
        _ text: String, _ uid: String, with seal: BrowserSeal, for browser: BrowserBinding
    ) -> [String: JSONValue]? {
        if let members = seal.open(text, purpose, for: browser) { return members["uid"]?.string == uid ? members : nil }
        return seal.open(text, underEarlierContext: Array("gateway \(purpose) v1\0\(uid)".utf8))
    }
}
