import Config

/// The network results of `gateway validate --online`, gathered by the caller; rules only compare.
package struct OnlineAnswers: Sendable {
    package enum Fetch: Sendable {
        /// - Parameters:
        ///   - date: the `Date` header field, as received.
        ///   - receivedAt: Unix milliseconds of this machine's clock.
        case answer(status: Int, body: [UInt8], date: String?, receivedAt: Int64)
        /// A short reason for the operator, such as `no response within 5 s`.
        case failure(reason: String)
    }

    package struct Provider: Sendable {
        /// The discovery document; nil without discovery.
        package var discovery: Fetch?
        /// The key set; nil without a known address.
        package var keys: Fetch?

        package init(discovery: Fetch? = nil, keys: Fetch? = nil) {
            self.discovery = discovery
            self.keys = keys
        }
    }

    /// Answers by provider id.
    package var providers: [String: Provider] = [:]
    /// The connection error of each unreachable upstream.
    package var unreachableUpstreams: [OnlineUpstream: String] = [:]
    /// The error of the session store; nil if a server responds, or without a store.
    package var unreachableStore: String?

    package init() {}
}
