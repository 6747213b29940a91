import Synchronization

/// The calls of an HTTP client that are under way: the client's event loop must outlive them.
final class RunningCalls: Sendable {
    private struct State {
        var count = 0
        var isStopped = false
        var stopped: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    /// Runs a call, or returns nil after `stop`.
    func run<Value>(_ call: () async -> Value) async -> Value? {
        let isStopped = state.withLock { state in
            if !state.isStopped { state.count += 1 }
            return state.isStopped
        }
        guard !isStopped else { return nil }
        defer {
            let stopped = state.withLock { state in
                state.count -= 1
                return state.count == 0 ? state.stopped.take() : nil
            }
            stopped?.resume()
        }
        return await call()
    }

    /// Refuses later calls, ends the ones under way with `end`, and returns when none is left, also after a failure: each ends by its timeout.
    func stop(_ end: () async throws -> Void) async throws {
        state.withLock { $0.isStopped = true }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await end()) } catch { outcome = .failure(error) }
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.count > 0 { state.stopped = continuation }
                return state.count == 0
            }
            if isIdle { continuation.resume() }
        }
        try outcome.get()
    }
}
