/// Something that a store did, for metrics and traces.
package enum RedisEvent: Sendable {
    /// The servers were asked. `failure`: nil after a success. The last value is what `caller` returned when the call began.
    case call(RedisOperation, failure: RedisFailureKind?, nanoseconds: UInt64, (any Sendable)?)
    /// A reply had the wrong type.
    case unusableReply
    /// A message of a replica arrived, this process included.
    case invalidation(Invalidation)

    package enum Invalidation: String, Sendable, CaseIterable {
        case end
        case change
        /// It is no message of a gateway.
        case invalid
    }
}

/// The purpose of a call to the servers.
package enum RedisOperation: String, Sendable, CaseIterable {
    case load
    case save
    case touch
    case end
    /// Whether a session or a token has ended.
    case check
    case list
    case login
    case refresh
}

/// The cause of a failed call: a label of metrics, so a closed set.
package enum RedisFailureKind: String, Sendable, CaseIterable {
    case connection
    case timeout
    /// The servers were not asked, because no connection works.
    case circuitOpen = "circuit-open"
    case authentication
    case permission
    case loading
    case replication
    case cluster
    case memory
    case disk
    /// A reply that could not be used.
    case reply
}
