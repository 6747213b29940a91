import CSockets
package import Dispatch
import Glibc
import NIOConcurrencyHelpers
package import NIOCore
import Synchronization

/// A socket that a loop watches.
package class WatchedSocket {
    /// `events`: epoll's. A socket that is forgotten meanwhile has to see to it that it lives until this returns.
    func happened(_ events: UInt32) { preconditionFailure("abstract") }
}

/// In an array by itself a function is wrapped in another, which is allocated.
private struct LoopTask {
    let run: @Sendable () -> Void
}

/// An event loop over epoll: one thread with its sockets, its timers and the tasks that it is given.
///
/// A turn is: what the kernel has to tell, the sockets that still have something to read, timers, tasks. Sockets are watched
/// edge-triggered, so that one is looked at once for each thing that happens to it (docs/decisions/0023).
///
/// Unchecked: other threads use the mailbox, which has a lock, the thread's number, which is atomic, and constants. Everything else is
/// used on the loop's thread only.
package final class SocketLoop: EventLoop, @unchecked Sendable {
    /// Tasks from other threads.
    private struct Letters {
        var tasks: [LoopTask] = []
        /// The loop was told that there is something.
        var isAnnounced = false
        var isClosed = false
    }

    /// A watched descriptor. What the kernel tells of the one that had its number before is not this one's.
    private struct Place {
        var watched: WatchedSocket?
        var generation: UInt32 = 0
    }

    private static let eventCount = 256
    /// After so many rounds of tasks that each leave another, sockets are looked at again.
    private static let taskRounds = 64

    private let name: String
    private let poll: CInt
    private let alarm: CInt
    private let letters = NIOLockedValueBox(Letters())
    /// The loop's thread while it runs; 0 before and after. Other threads read it while the loop starts and stops.
    private let thread = Atomic<pthread_t>(0)

    // Below: used on the loop's thread only.
    private var places: [Place] = []
    private var streams: [ObjectIdentifier: SocketChannel] = [:]
    private var readable: [SocketChannel] = []
    private var spareReadable: [SocketChannel] = []
    private var tasks: [LoopTask] = []
    private var spareTasks: [LoopTask] = []
    private var idleTasks: [LoopTask] = []
    /// The time at which the idle tasks run even if the loop is busy.
    private var idleLimit = NIODeadline.distantFuture
    private var timers = Timers()
    /// The time at which the kernel reported this turn's events.
    private var turnTime = NIODeadline.now()
    private var isStopping = false
    private var isEnding = false
    private var onEnd: [@Sendable () -> Void] = []
    /// Memory that sockets are read into.
    var memory = ReceiveMemory()
    /// Closes a connection that can be spared; false where there is none. Called when the process runs out of descriptors.
    package var spareDescriptor: (() -> Bool)?

    /// Throws an `IOError` where the system gives no further descriptors or threads.
    init(name: String) throws {
        self.name = name
        poll = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard poll >= 0 else { throw IOError(errnoCode: errno, reason: "epoll_create1") }
        alarm = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        // What is open is closed by `deinit`.
        guard alarm >= 0 else { throw IOError(errnoCode: errno, reason: "eventfd") }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64.max))
        guard epoll_ctl(poll, EPOLL_CTL_ADD, alarm, &event) == 0 else { throw IOError(errnoCode: errno, reason: "epoll_ctl") }
        try start()
    }

    private func start() throws {
        final class Start {
            let loop: SocketLoop
            let isRunning = ConditionLock(value: false)
            init(_ loop: SocketLoop) { self.loop = loop }
        }
        let start = Start(self)
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { argument in
                // What `pthread_create` was given. The thread holds its loop until it ends.
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                let loop = start.loop
                loop.thread.store(pthread_self(), ordering: .relaxed)
                pthread_setname_np(pthread_self(), loop.name)
                start.isRunning.lock()
                start.isRunning.unlock(withValue: true)
                loop.run()
                return nil
            }, Unmanaged.passRetained(start).toOpaque())
        guard failure == 0 else {
            Unmanaged.passUnretained(start).release()
            throw IOError(errnoCode: failure, reason: "pthread_create")
        }
        pthread_detach(thread)
        start.isRunning.lock(whenValue: true)
        start.isRunning.unlock()
    }

    deinit {
        Glibc.close(poll)
        if alarm >= 0 { Glibc.close(alarm) }
    }

    // MARK: Turns

    private func run() {
        let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Self.eventCount)
        defer { events.deallocate() }
        while !isStopping {
            let count = epoll_wait(poll, events, CInt(Self.eventCount), waitTimeout())
            turnTime = .now()
            for index in 0..<Int(max(0, count)) { happened(events[index]) }
            readWhatIsLeft()
            runIdleTasks(isIdle: count <= 0)
            runTimers()
            runTasks()
        }
        end()
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
        let data = event.data.u64
        guard data != UInt64.max else { return openLetters() }
        let index = Int(data & 0xffff_ffff)
        guard places[index].generation == UInt32(data >> 32), let watched = places[index].watched else { return }
        watched.happened(event.events)
    }

    private func openLetters() {
        var count: UInt64 = 0
        _ = Glibc.read(alarm, &count, 8)
        letters.withLockedValue {
            $0.isAnnounced = false
            tasks.append(contentsOf: $0.tasks)
            $0.tasks.removeAll(keepingCapacity: $0.tasks.count < 64)
        }
    }

    private func readWhatIsLeft() {
        guard !readable.isEmpty else { return }
        // Who leaves something again is served after the others had their turn.
        swap(&readable, &spareReadable)
        for stream in spareReadable { stream.readWhatIsLeft() }
        spareReadable.removeAll(keepingCapacity: true)
    }

    private func runIdleTasks(isIdle: Bool) {
        guard !idleTasks.isEmpty, isIdle || turnTime >= idleLimit else { return }
        tasks.append(contentsOf: idleTasks)
        idleTasks.removeAll(keepingCapacity: true)
    }

    private func runTimers() {
        guard !timers.isEmpty else { return }
        while let task = timers.takeDue(turnTime) { task(true) }
    }

    private func runTasks() {
        var rounds = 0
        while !tasks.isEmpty, rounds < Self.taskRounds {
            rounds += 1
            swap(&tasks, &spareTasks)
            for task in spareTasks { task.run() }
            spareTasks.removeAll(keepingCapacity: spareTasks.count < 4_096)
        }
    }

    /// Closes what is left, and runs what was asked for until then. Nothing new begins.
    private func end() {
        isEnding = true
        var isLeft = true
        while isLeft {
            for stream in Array(streams.values) { stream.close0(error: EventLoopError.shutdown, mode: .all, promise: nil) }
            while let task = timers.takeDue(.distantFuture) { task(false) }
            runIdleTasks(isIdle: true)
            runTasks()
            letters.withLockedValue {
                tasks.append(contentsOf: $0.tasks)
                $0.tasks.removeAll()
                isLeft = !(tasks.isEmpty && timers.isEmpty && idleTasks.isEmpty && streams.isEmpty)
                // Once no task is left, no task is accepted.
                $0.isClosed = !isLeft
            }
        }
        spareDescriptor = nil
        readable.removeAll()
        places.removeAll()
        // The system may give the same number to a later thread.
        thread.store(0, ordering: .relaxed)
        for told in onEnd { told() }
    }

    // MARK: Sockets

    /// Watches a descriptor until `forget`. The caller holds what watches it no longer than that.
    func watch(_ descriptor: CInt, _ events: UInt32, _ watched: WatchedSocket) throws {
        guard !isEnding else { throw EventLoopError.shutdown }
        let index = Int(descriptor)
        if places.count <= index { places.append(contentsOf: repeatElement(Place(), count: index + 1 - places.count)) }
        places[index].generation &+= 1
        places[index].watched = watched
        var event = epoll_event(
            events: events, data: epoll_data_t(u64: UInt64(places[index].generation) << 32 | UInt64(index)))
        guard epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            let error = IOError(errnoCode: errno, reason: "epoll_ctl")
            places[index].watched = nil
            throw error
        }
        if let stream = watched as? SocketChannel { streams[ObjectIdentifier(stream)] = stream }
    }

    /// To be called before a descriptor is closed that may be watched.
    func forget(_ descriptor: CInt) {
        guard descriptor < places.count, let watched = places[Int(descriptor)].watched.take() else { return }
        epoll_ctl(poll, EPOLL_CTL_DEL, descriptor, nil)
        streams.removeValue(forKey: ObjectIdentifier(watched))
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
        var mustWake = false
        let isTaken = letters.withLockedValue { letters in
            guard !letters.isClosed else { return false }
            letters.tasks.append(LoopTask(run: task))
            mustWake = !letters.isAnnounced
            letters.isAnnounced = true
            return true
        }
        if mustWake {
            var one: UInt64 = 1
            _ = Glibc.write(alarm, &one, 8)
        }
        return isTaken
    }

    /// Runs it once nothing else is to be done, after half a millisecond at the latest. On the loop only.
    package func whenIdle(_ task: @escaping @Sendable () -> Void) {
        if idleTasks.isEmpty { idleLimit = turnTime + .microseconds(500) }
        idleTasks.append(LoopTask(run: task))
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
            guard !self.isEnding else { return promise.fail(EventLoopError.shutdown) }
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
            self.isStopping = true
            self.onEnd.append(done)
        }
        if !isTaken { done() }
    }
}
