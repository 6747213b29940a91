import CSockets
import Glibc
import NIOConcurrencyHelpers
import NIOCore

/// Starts the thread of an event loop.
enum LoopThread {
    private struct Start {
        let name: String
        let isRunning: ConditionLock<Bool>
        /// On the new thread, before anybody else knows of it.
        let begin: @Sendable () -> Void
        let run: @Sendable () -> Void
    }

    /// Returns after `begin`. Throws an `IOError` where the system gives no thread.
    static func start(name: String, begin: @escaping @Sendable () -> Void, run: @escaping @Sendable () -> Void) throws {
        let isRunning = ConditionLock(value: false)
        let start = UnsafeMutablePointer<Start>.allocate(capacity: 1)
        start.initialize(to: Start(name: name, isRunning: isRunning, begin: begin, run: run))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                // The thread holds what it runs until it ends.
                let pointer = argument.assumingMemoryBound(to: Start.self)
                let start = pointer.move()
                pointer.deallocate()
                start.begin()
                pthread_setname_np(pthread_self(), start.name)
                start.isRunning.lock()
                start.isRunning.unlock(withValue: true)
                start.run()
                return nil
            }, start)
        guard failure == 0 else {
            start.deinitialize(count: 1)
            start.deallocate()
            throw IOError(errnoCode: failure, reason: "pthread_create")
        }
        pthread_detach(thread)
        isRunning.lock(whenValue: true)
        isRunning.unlock()
    }
}
