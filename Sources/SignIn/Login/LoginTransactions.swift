package import Sessions
package import TokenCrypto

/// The sign-ins of one gateway: seals and finds their cookies. One per configuration.
package final class LoginTransactions: Sendable {
    package let cookies: LoginCookies
    private let ring: SealingKeyRing
    private let store: any SessionStore

    /// `ring` has the purpose `login`. `store` remembers which sign-ins are finished.
    package init(ring: SealingKeyRing, cookies: LoginCookies, store: any SessionStore) {
        self.ring = ring
        self.cookies = cookies
        self.store = store
    }

    /// The `Set-Cookie` lines that begin a sign-in: the new cookie, and deletions of those that no longer fit.
    package func setCookieLines(
        for transaction: LoginTransaction, existingNames: some Sequence<String>, forFormPost: Bool, now: Int64
    ) -> [String] {
        let name = self.cookies.name(for: transaction.id)
        let value = transaction.sealed(with: self.ring, cookieName: name)
        let evicted = self.cookies.evictions(existingNames: existingNames, now: now)
        return evicted.map(self.cookies.deletion(name:)) + [self.cookies.line(name: name, value: value, forFormPost: forFormPost)]
    }

    /// Finds the sign-in of a `state` in the browser's cookies.
    package func lookup(
        state: String, cookies: [(name: String, value: String)], now: Int64
    ) async throws(SessionStoreError) -> TransactionLookup {
        guard let id = LoginID(state: state) else { return .unknown }
        let name = self.cookies.name(for: id)
        let values = cookies.filter { $0.name == name }
        // Two cookies of one name: someone else set one of them.
        if values.count == 1, let transaction = LoginTransaction(sealed: values[0].value, with: self.ring, cookieName: name) {
            return .found(transaction, isConsumed: try await self.store.isFinishedLogin(id.text, now: now))
        }
        if try await self.store.isFinishedLogin(id.text, now: now) { return .finished }
        // The browser drops the cookie with the sign-in's lifetime, and the state still says when that was.
        let age = now - id.createdAt
        return values.isEmpty && age >= LoginTransaction.lifetime && age < 30 * 86_400_000 ? .expired : .unknown
    }

    /// False when the sign-in is finished already. Call once everything else about the callback holds.
    package func consume(_ transaction: LoginTransaction, now: Int64) async throws(SessionStoreError) -> Bool {
        try await self.store.finishLogin(transaction.id.text, now: now)
    }
}

/// The sign-in that a callback's `state` names.
package enum TransactionLookup: Sendable {
    case found(LoginTransaction, isConsumed: Bool)
    /// Its cookie is gone because it was finished here.
    case finished
    /// Its cookie is gone with its time.
    case expired
    /// Not begun in this browser.
    case unknown
}
