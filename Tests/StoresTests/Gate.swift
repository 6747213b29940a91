import Dispatch
import Synchronization

/// Holds a thread, which must not be one of Swift's cooperative threads, until it is opened; for at most five minutes.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    func wait() {
        _ = semaphore.wait(timeout: .now() + 300)
        // Others wait, too.
        semaphore.signal()
    }

    /// Waits for the gate on another thread than those of Swift's tasks.
    func opened() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.wait()
                continuation.resume()
            }
        }
    }
}

/// Lets threads continue when all of them have arrived.
final class Barrier: Sendable {
    private let missing: Mutex<Int>
    private let gate = Gate()

    init(_ count: Int) { missing = Mutex(count) }

    func wait() {
        let isLast = missing.withLock { missing in
            missing -= 1
            return missing == 0
        }
        if isLast { gate.open() }
        gate.wait()
    }
}

/// A number that threads share.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    func increment() { count.add(1, ordering: .sequentiallyConsistent) }
}
