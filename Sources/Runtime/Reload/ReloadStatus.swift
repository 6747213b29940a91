import Process
import Telemetry

/// The outcome of reloads so far, for `/readyz?verbose` and the metrics.
struct ReloadStatus: Sendable {
    struct Failure: Sendable {
        /// Unix milliseconds.
        var at: Int64
        /// The cause, without values.
        var reason: String
    }

    /// SHA-256 of the file that is served; empty when there is none.
    var hash = ""
    /// Of everything that was read for it.
    var fingerprint: [UInt8] = []
    /// The files besides, as they were then.
    var named: [WatchedFile] = []
    /// The time at which the current configuration was read; Unix milliseconds.
    var servedSince: Int64
    var successes = 0
    var failures = 0
    /// The failure of the last reload; nil after a success.
    var failure: Failure?

    /// The line of `/readyz?verbose`. Not required: the old configuration stays in use.
    func check(now: Int64) -> Readiness.Check {
        guard let failure else { return .init(name: "reload", isPassing: true, isRequired: false, detail: "") }
        return .init(
            name: "reload", isPassing: false, isRequired: false,
            detail: "\(failure.reason), \(max(0, (now - failure.at) / 1_000)) s ago; the previous configuration stays in use")
    }
}
