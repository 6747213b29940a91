import SignIn
import Synchronization

/// The notices about one provider that were logged already.
final class ProviderWarnings: Sendable {
    private let reported = Mutex<Set<ProviderNotice>>([])

    /// True once for each.
    func isFirst(_ notice: ProviderNotice) -> Bool { self.reported.withLock { $0.insert(notice).inserted } }
}
