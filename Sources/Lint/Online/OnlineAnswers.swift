package import Config

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

    package enum AccountStore: Sendable, Hashable {
        /// A short reason for the operator, without the URL's password.
        case unreachable(reason: String)
        /// - Parameters:
        ///   - version: the version of the schema; nil for an empty database.
        ///   - supported: the latest version that this program knows.
        case schema(version: Int?, supported: Int)
    }

    /// Answers by provider id.
    package var providers: [String: Provider] = [:]
    /// The connection error of each unreachable upstream.
    package var unreachableUpstreams: [OnlineUpstream: String] = [:]
    /// The error of the session store; nil if it can be used, or without a store.
    package var unreachableStore: String?
    /// The state of the account store; nil without one.
    package var accountStore: AccountStore?

    package init() {}
}

/// Opens account stores for `gateway validate --online`. The linter itself knows no database.
package protocol AccountStoreProbe: Sendable {
    /// Connects and reads the version of the schema, without a migration and without creating a file.
    func state(of store: AccountStoreLocation) async -> OnlineAnswers.AccountStore
}
