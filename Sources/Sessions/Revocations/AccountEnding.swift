/// The end of an account's sessions: the account was disabled, deleted or taken over, its credentials changed, or a provider was unlinked.
///
/// The account store remembers it and tells every replica, so a session store needs to keep it only as long as the process.
package struct AccountEnding: Sendable, Equatable {
    package let uid: String
    /// Only sessions that were made with this provider; nil: all.
    package let provider: String?
    /// Unix milliseconds. Sessions issued later go on.
    package let issuedUpTo: Int64

    package init(uid: String, provider: String? = nil, issuedUpTo: Int64) {
        self.uid = uid
        self.provider = provider
        self.issuedUpTo = issuedUpTo
    }
}
