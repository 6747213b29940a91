import Config

/// What `gateway validate --online` learnt from the network. Gathered outside; the rules only compare.
package struct OnlineAnswers: Sendable {
    package enum Fetch: Sendable {
        /// - Parameters:
        ///   - date: the `Date` header field, as received.
        ///   - receivedAt: Unix milliseconds of this machine's clock.
        case answer(status: Int, body: [UInt8], date: String?, receivedAt: Int64)
        /// A few words for a person, such as `no answer within 5 s`.
        case failure(reason: String)
    }

    package struct Provider: Sendable {
        /// Nil when nothing is discovered.
        package var discovery: Fetch?
        /// Nil when no address of keys is known.
        package var keys: Fetch?

        package init(discovery: Fetch? = nil, keys: Fetch? = nil) {
            self.discovery = discovery
            self.keys = keys
        }
    }

    /// By the provider's id.
    package var providers: [String: Provider] = [:]
    /// Why no usable connection could be made, for those to which none could.
    package var unreachableUpstreams: [OnlineUpstream: String] = [:]
    /// Why no server of the session store answers; nil when one does, and without a store.
    package var unreachableStore: String?

    package init() {}
}
