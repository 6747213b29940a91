import NIOConcurrencyHelpers

/// Remembers what was reported, for warnings that are worth one line for each process. Keys come from the configuration, never from requests.
package final class OnceNotices: Sendable {
    private let reported = NIOLockedValueBox<Set<String>>([])

    package init() {}

    package func isFirst(_ key: String) -> Bool { reported.withLockedValue { $0.insert(key).inserted } }
}
