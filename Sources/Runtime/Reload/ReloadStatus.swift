/// How reading the configuration again has gone so far: for `/readyz?verbose` and the metrics.
struct ReloadStatus: Sendable {
    struct Failure: Sendable {
        /// Unix milliseconds.
        var at: Int64
        /// What was wrong, without values.
        var reason: String
    }

    /// SHA-256 of the file that is served; empty when there is none.
    var hash = ""
    /// Of everything that was read for it.
    var fingerprint: [UInt8] = []
    /// The files besides, as they were then.
    var named: [WatchedFile] = []
    /// When what is served was read; Unix milliseconds.
    var servedSince: Int64
    var successes = 0
    var failures = 0
    /// Why the last attempt changed nothing; nil after one that did.
    var failure: Failure?

    /// What `/readyz?verbose` shows; the old configuration serves, so that readiness does not hang on it.
    func check(now: Int64) -> Readiness.Check {
        guard let failure else { return .init(name: "reload", isPassing: true, isRequired: false, detail: "") }
        return .init(
            name: "reload", isPassing: false, isRequired: false,
            detail: "\(failure.reason), \(max(0, (now - failure.at) / 1_000)) s ago; the previous configuration stays in use")
    }
}
