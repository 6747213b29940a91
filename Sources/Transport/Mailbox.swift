import CSockets
import Glibc
import NIOConcurrencyHelpers
import NIOCore

/// A task of an event loop. In an array by itself a function is wrapped in another, which is allocated.
struct LoopTask {
    let run: @Sendable () -> Void
}

/// The tasks that other threads give to an event loop, and the descriptor that wakes it.
final class Mailbox: Sendable {
    private struct Content {
        var tasks: [LoopTask] = []
        /// The loop has been woken and has not looked yet.
        var isAnnounced = false
        var isClosed = false
    }

    /// Readable while there is something new.
    let alarm: CInt
    private let content = NIOLockedValueBox(Content())

    init() throws {
        alarm = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        guard alarm >= 0 else { throw IOError(errnoCode: errno, reason: "eventfd") }
    }

    deinit { Glibc.close(alarm) }

    /// False once it is closed: the task will not run. Any thread may call it.
    func post(_ task: LoopTask) -> Bool {
        var mustWake = false
        let isTaken = content.withLockedValue { content in
            guard !content.isClosed else { return false }
            content.tasks.append(task)
            mustWake = !content.isAnnounced
            content.isAnnounced = true
            return true
        }
        if mustWake {
            var one: UInt64 = 1
            _ = Glibc.write(alarm, &one, 8)
        }
        return isTaken
    }

    /// All tasks so far, after the alarm.
    func open() -> [LoopTask] {
        var count: UInt64 = 0
        _ = Glibc.read(alarm, &count, 8)
        return content.withLockedValue {
            $0.isAnnounced = false
            let tasks = $0.tasks
            $0.tasks = []
            return tasks
        }
    }

    /// The last tasks. Where there are none and the loop has nothing else to do, the mailbox is closed and the result nil.
    func takeLast(isOtherwiseDone: Bool) -> [LoopTask]? {
        content.withLockedValue {
            guard $0.tasks.isEmpty else {
                let tasks = $0.tasks
                $0.tasks = []
                return tasks
            }
            $0.isClosed = isOtherwiseDone
            return isOtherwiseDone ? nil : []
        }
    }
}
