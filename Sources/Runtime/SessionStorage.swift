import Accounts
import Backchannel
import Sessions

extension Snapshot {
    /// The first form of a session that fits into the browser's cookies, with its `Set-Cookie` lines: whole, without what no rule and no header
    /// reads, without the provider's tokens. An app can do without a token better than a person without a session.
    ///
    /// `issue` makes the session of an identity; nil when none fits.
    func stored(
        _ identity: ProviderIdentity, existingNames: [String], issue: (ProviderIdentity) -> Session
    ) -> (session: Session, lines: [String])? {
        let reduced = contents.reduced(identity)
        for form in [issue(identity), issue(reduced), issue(reduced).withoutAccessToken()] {
            if let lines = try? cookies.setCookieLines(for: form, seal: seal, existingNames: existingNames) { return (form, lines) }
        }
        return nil
    }
}
