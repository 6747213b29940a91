import CSockets
package import Dispatch
import Glibc
import NIOConcurrencyHelpers
package import NIOCore
import Synchronization

/// An event loop over epoll: one thread with its sockets, its timers and the tasks that it is given.
///
/// A turn is: what the kernel has to tell, the sockets that still have something to read, timers, tasks. Sockets are watched
/// edge-triggered, so that one is looked at once for each thing that happens to it (docs/decisions/0023).
///
/// Unchecked: other threads use the mailbox, which is `Sendable`, the thread's number, which is atomic, and constants. Everything else is
/// used on the loop's thread only.
package final class SocketLoop: EventLoop, @unchecked Sendable {
    private enum Phase { case running, stopping, ending }

    private static let eventCount = 256
    /// After so many rounds of tasks that each leave another, sockets are looked at again.
    private static let taskRounds = 64

    let kernel: Kernel
    private let poll: CInt
    private let mailbox: Mailbox
    /// The loop's thread while it runs; 0 before and after. Other threads read it while the loop starts and stops.
    private let thread = Atomic<pthread_t>(0)

    // Below: used on the loop's thread only.
    private var phase = Phase.running
    private var watches = Watches()
    private var readable = TurnQueue<SocketChannel>()
    private var tasks = TurnQueue<LoopTask>()
    private var idleTasks = IdleTasks()
    private var timers = Timers()
    /// The time at which the kernel reported this turn's events.
    private var turnTime = NIODeadline.now()
    private var onEnd: [@Sendable () -> Void] = []
    /// Memory that sockets are read into.
    var memory = ReceiveMemory()
    /// Closes a connection that can be spared; false where there is none. Called when the process runs out of descriptors.
    package var spareDescriptor: (() -> Bool)?

    private init(_ kernel: Kernel) throws {
        self.kernel = kernel
        mailbox = try Mailbox()
        poll = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard poll >= 0 else { throw IOError(errnoCode: errno, reason: "epoll_create1") }
    }

    /// Starts the loop's thread. Throws an `IOError` where the system gives no further descriptors or threads.
    convenience init(name: String) throws {
        try self.init(.system)
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: Watches.alarm))
        guard epoll_ctl(poll, EPOLL_CTL_ADD, mailbox.alarm, &event) == 0 else { throw IOError(errnoCode: errno, reason: "epoll_ctl") }
        try LoopThread.start(name: name, begin: { self.adoptThread() }, run: { self.run() })
    }

    /// A loop of the current thread, whose caller calls `turn`, and `end` at last.
    convenience init(simulating kernel: any KernelSimulation) throws {
        try self.init(Kernel(simulation: kernel))
        adoptThread()
    }

    private func adoptThread() { thread.store(pthread_self(), ordering: .relaxed) }

    deinit { if poll >= 0 { Glibc.close(poll) } }

    // MARK: Turns

    private func run() {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventCount) { events in
            while phase == .running { turn(events) }
        }
        end()
    }

    /// One turn, which waits for an event where there is nothing else to do.
    func turn(_ events: UnsafeMutableBufferPointer<epoll_event>) {
        let count = kernel.wait(poll, events, timeout: waitTimeout())
        turnTime = .now()
        for index in 0..<count { happened(events[index]) }
        readWhatIsLeft()
        idleTasks.move(to: &tasks, isIdle: count == 0, now: turnTime)
        runTimers()
        runTasks()
    }

    /// The timeout of `epoll_wait`, in milliseconds.
    private func waitTimeout() -> CInt {
        guard tasks.isEmpty, readable.isEmpty, idleTasks.isEmpty else { return 0 }
        guard let next = timers.next else { return -1 }
        let nanoseconds = (next - turnTime).nanoseconds
        // Not a moment too early: it would come back for nothing.
        return nanoseconds <= 0 ? 0 : CInt((min(nanoseconds, 60_000_000_000) + 999_999) / 1_000_000)
    }

    @inline(__always)
    private func happened(_ event: epoll_event) {
        let tag = event.data.u64
        guard tag != Watches.alarm else { return tasks.append(contentsOf: mailbox.open()) }
        watches[tag]?.happened(event.events)
    }

    private func readWhatIsLeft() {
        guard !readable.isEmpty else { return }
        // A channel that still has data is queued behind the others.
        let streams = readable.take()
        for stream in streams { stream.readWhatIsLeft() }
        readable.recycle(streams, limit: .max)
    }

    private func runTimers() {
        guard !timers.isEmpty else { return }
        while let task = timers.takeDue(turnTime) { task(true) }
    }

    private func runTasks() {
        var rounds = 0
        while !tasks.isEmpty, rounds < Self.taskRounds {
            rounds += 1
            let round = tasks.take()
            for task in round { task.run() }
            tasks.recycle(round, limit: 4_096)
        }
    }

    /// Closes what is left, and runs what was asked for until then. Nothing new begins.
    func end() {
        phase = .ending
        while true {
            for stream in watches.streams { stream.close0(error: EventLoopError.shutdown, mode: .all, promise: nil) }
            while let task = timers.takeDue(.distantFuture) { task(false) }
            idleTasks.move(to: &tasks, isIdle: true, now: turnTime)
            runTasks()
            let isDone = tasks.isEmpty && timers.isEmpty && idleTasks.isEmpty && watches.streams.isEmpty
            // Once no task is left, no task is accepted.
            guard let last = mailbox.takeLast(isOtherwiseDone: isDone) else { break }
            tasks.append(contentsOf: last)
        }
        spareDescriptor = nil
        readable.removeAll()
        watches.removeAll()
        // The system may give the same number to a later thread.
        thread.store(0, ordering: .relaxed)
        for notify in onEnd { notify() }
    }

    // MARK: Sockets

    /// Watches a descriptor until `forget`. The caller holds what watches it no longer than that.
    func watch(_ descriptor: CInt, _ events: UInt32, _ watched: WatchedSocket) throws {
        guard phase != .ending else { throw EventLoopError.shutdown }
        let outcome = kernel.watch(poll, descriptor, events, tag: watches.add(watched, descriptor))
        guard outcome >= 0 else {
            _ = watches.remove(descriptor)
            throw IOError(errnoCode: CInt(truncatingIfNeeded: -outcome), reason: "epoll_ctl")
        }
    }

    /// To be called before a descriptor is closed that may be watched.
    func forget(_ descriptor: CInt) {
        if watches.remove(descriptor) { kernel.forget(poll, descriptor) }
    }

    /// The stream's `readWhatIsLeft` is called in the next turn.
    func readLater(_ stream: SocketChannel) { readable.append(stream) }

    // MARK: EventLoop

    /// Relaxed: a thread can only find its own number here if it stored the number itself.
    package var inEventLoop: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    /// On the loop: when its turn began. The clock is asked once for each.
    package var now: NIODeadline { inEventLoop ? turnTime : .now() }

    /// Runs it at the end of this turn, or of the next when another thread asks. After the end: nothing happens.
    package func execute(_ task: @escaping @Sendable () -> Void) { _ = leave(task) }

    /// False after the end: it will not run.
    func leave(_ task: @escaping @Sendable () -> Void) -> Bool {
        if inEventLoop {
            tasks.append(LoopTask(run: task))
            return true
        }
        return mailbox.post(LoopTask(run: task))
    }

    /// Runs it once nothing else is to be done, after half a millisecond at the latest. On the loop only.
    package func whenIdle(_ task: @escaping @Sendable () -> Void) {
        idleTasks.append(LoopTask(run: task), now: turnTime)
    }

    /// Runs it now on the loop itself, else when the loop comes to it. False after the end: it will not run.
    @discardableResult
    func perform(_ task: @escaping @Sendable () -> Void) -> Bool {
        guard inEventLoop else { return leave(task) }
        task()
        return true
    }

    package func scheduleTask<T>(deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        let promise = makePromise(of: T.self)
        let place = TimerPlace()
        perform {
            guard !place.isCancelled else { return }
            guard self.phase != .ending else { return promise.fail(EventLoopError.shutdown) }
            place.entry = self.timers.add(at: deadline) { isDue in
                place.entry = nil
                guard isDue else { return promise.fail(EventLoopError.shutdown) }
                do {
                    promise.assumeIsolatedUnsafeUnchecked().succeed(try task())
                } catch {
                    promise.fail(error)
                }
            }
        }
        return Scheduled(
            promise: promise,
            cancellationTask: {
                self.perform {
                    place.isCancelled = true
                    // What it holds is let go of once the list is whole again.
                    let task = place.entry.take().flatMap { self.timers.cancel($0) }
                    withExtendedLifetime(task) {}
                }
            })
    }

    package func scheduleTask<T>(in amount: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        scheduleTask(deadline: .now() + amount, task)
    }

    /// The handle of a scheduled task. Unchecked: used on its loop only.
    private final class TimerPlace: @unchecked Sendable {
        var entry: Timers.Entry?
        var isCancelled = false
    }

    /// Ends a loop that belongs to no group. A group ends its own loops.
    package func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        stop { queue.async { callback(nil) } }
    }

    /// Closes all sockets; `done` is called as the last thing that the loop does, at once where it has ended before.
    func stop(_ done: @escaping @Sendable () -> Void) {
        let isTaken = leave {
            self.phase = .stopping
            self.onEnd.append(done)
        }
        if !isTaken { done() }
    }
}
