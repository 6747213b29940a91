import Glibc
import Logging
import NIOCore
package import Telemetry
package import Transport

/// The event loops of the process: one for each CPU it may run on.
package enum EventLoops {
    package static func makeGroup(_ transport: TransportKind) throws -> any TransportGroup {
        try transport.makeGroup(loops: usableProcessors)
    }

    /// CPUs in the affinity mask (`taskset`, a container's cpuset), as the kernel shows it; at least 1.
    package static var usableProcessors: Int {
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

    /// Each connection costs a descriptor, two with its upstream: the soft limit goes up to the hard one. What is low for the
    /// connections that are to be served is logged.
    package static func raiseDescriptorLimit(_ log: EventLog, connections: Int?) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        let wanted = rlim_t(2 * (connections ?? 2_000) + 64)
        guard limit.rlim_cur < wanted else { return }
        log.write(
            .warning, "descriptor-limit-low",
            "the limit on open files is low: each client needs one, and one for its upstream; raise `ulimit -n` or LimitNOFILE",
            [("limit", .number(Int(limit.rlim_cur))), ("wanted", .number(Int(wanted)))])
    }
}
