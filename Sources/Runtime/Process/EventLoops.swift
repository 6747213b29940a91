import Glibc
import NIOCore
import NIOPosix

/// The event loops of the process: one for each CPU it may run on.
enum EventLoops {
    static func makeGroup() -> MultiThreadedEventLoopGroup { MultiThreadedEventLoopGroup(numberOfThreads: usableProcessors) }

    /// CPUs in the affinity mask (`taskset`, a container's cpuset), as the kernel shows it; at least 1.
    static var usableProcessors: Int {
        guard let file = fopen("/proc/self/status", "r") else { return System.coreCount }
        defer { fclose(file) }
        let prefix = "Cpus_allowed:"
        var line = [CChar](repeating: 0, count: 4_096)
        while fgets(&line, CInt(line.count), file) != nil {
            let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
            guard text.hasPrefix(prefix) else { continue }
            let count = text.dropFirst(prefix.count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
            return max(1, min(count, System.coreCount))
        }
        return System.coreCount
    }

    /// Each connection costs a descriptor, two with its upstream: the soft limit goes up to the hard one.
    static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
