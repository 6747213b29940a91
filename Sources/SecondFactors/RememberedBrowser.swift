package import Accounts
import TokenCrypto

/// The browser whose user ticked "do not ask again on this browser" (`secondFactor.rememberBrowser`).
package enum RememberedBrowser {
    private static let purpose = "remembered browser"

    /// The text for a cookie. `factor`: the one that was used. `startedAt`: when the sign-in or step-up began. `lifetime`: milliseconds.
    package static func sealed(
        uid: String, factor: String, startedAt: Int64, lifetime: Int64, now: Int64, with seal: BrowserSeal, for browser: BrowserBinding
    ) -> String {
        seal.seal(
            ["uid": .string(uid), "factor": .string(factor), "at": .integer(startedAt), "exp": .integer(now + lifetime)], purpose,
            for: browser)
    }

    /// Since when the browser is remembered, if the cookie is for this account, has not expired, and the factor that was used then still
    /// exists; nil otherwise. What has ended the account's sessions since makes the browser unknown, too: ask `AccountService.hasEnding`. `lifetime`: as it is
    /// configured, milliseconds.
    package static func since(
        _ text: String, _ account: AccountFactors, lifetime: Int64, with seal: BrowserSeal, for browser: BrowserBinding, now: Int64
    ) -> Int64? {
        let uid = account.account.uid
        guard let members = open(text, uid, with: seal, for: browser), let factor = members["factor"]?.string,
            let expiresAt = members["exp"]?.integer, now < expiresAt, account.factor(factor) != nil
        else { return nil }
        // A cookie of a build before this one has no time of its own.
        return members["at"]?.integer ?? expiresAt.subtractingReportingOverflow(lifetime).partialValue
    }

    /// Cookies of earlier builds open until they expire: they were sealed for the account alone.
    private static func open(
        _ text: String, _ uid: String, with seal: BrowserSeal, for browser: BrowserBinding
    ) -> [String: JSONValue]? {
        if let members = seal.open(text, purpose, for: browser) { return members["uid"]?.string == uid ? members : nil }
        return seal.open(text, underEarlierContext: Array("gateway \(purpose) v1\0\(uid)".utf8))
    }
}
