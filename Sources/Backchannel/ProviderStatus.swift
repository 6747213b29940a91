/// Whether sign-ins at a provider can work, as far as is known.
package enum ProviderStatus: Sendable, Equatable {
    case ready
    /// `since` in Unix milliseconds. `reason` is for the operator.
    case unavailable(reason: String, since: Int64)
}
