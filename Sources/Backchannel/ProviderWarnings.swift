import Synchronization

/// A provider's departure from a standard that is worth one warning, however many sessions it concerns.
enum ProviderDeparture: Hashable, Sendable {
    /// A refreshed ID token has another `auth_time` (OpenID Connect Core 1.0 section 12.2).
    case otherAuthTimeAtRefresh
}

/// The departures of one provider that were logged already.
final class ProviderWarnings: Sendable {
    private let reported = Mutex<Set<ProviderDeparture>>([])

    /// True once for each.
    func isFirst(_ departure: ProviderDeparture) -> Bool { self.reported.withLock { $0.insert(departure).inserted } }
}
