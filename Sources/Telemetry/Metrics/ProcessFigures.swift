import Glibc

/// The kernel's figures about this process, under the names that Prometheus clients use.
enum ProcessFigures {
    static var families: [MetricFamily] {
        var families: [MetricFamily] = []
        func gauge(_ name: String, _ help: String, _ value: MetricFamily.Value) {
            var family = MetricFamily(name, .gauge, help)
            family.add(value)
            families.append(family)
        }
        var usage = rusage()
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            var family = MetricFamily("process_cpu_seconds", .counter, "Total user and system CPU time spent in seconds.")
            family.add(.number(seconds(usage.ru_utime) + seconds(usage.ru_stime)))
            families.append(family)
        }
        let pages = fields(of: "/proc/self/statm")
        let pageSize = sysconf(CInt(_SC_PAGESIZE))
        if pages.count > 1, let all = Int(pages[0]), let resident = Int(pages[1]) {
            gauge("process_virtual_memory_bytes", "Virtual memory size in bytes.", .integer(all * pageSize))
            gauge("process_resident_memory_bytes", "Resident memory size in bytes.", .integer(resident * pageSize))
        }
        if let open = openDescriptors() { gauge("process_open_fds", "Number of open file descriptors.", .integer(open)) }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            gauge("process_max_fds", "Maximum number of open file descriptors.", .number(Double(limit.rlim_cur)))
        }
        if let start = startTime() {
            gauge("process_start_time_seconds", "Start time of the process since unix epoch in seconds.", .number(start))
        }
        return families
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    private static func openDescriptors() -> Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        // Not itself, nor `.` and `..`.
        var count = -3
        while readdir(directory) != nil { count += 1 }
        return count
    }

    /// Now, less the time since the process began: the ticks from the boot to its beginning stand behind the parenthesis that ends
    /// the program's name.
    private static func startTime() -> Double? {
        let text = contents(of: "/proc/self/stat")
        guard let end = text.lastIndex(of: ")") else { return nil }
        let rest = text[end...].split(separator: " ")
        guard rest.count > 20, let ticks = Double(rest[20]) else { return nil }
        var now = timespec()
        var sinceBoot = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        clock_gettime(CLOCK_BOOTTIME, &sinceBoot)
        func seconds(_ time: timespec) -> Double { Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 }
        return seconds(now) - (seconds(sinceBoot) - ticks / Double(sysconf(CInt(_SC_CLK_TCK))))
    }

    private static func fields(of path: String) -> [Substring] { contents(of: path).split(separator: " ") }

    private static func contents(of path: String) -> String { String(decoding: bytes(of: path), as: UTF8.self) }

    /// Empty for a file that cannot be read.
    static func bytes(of path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 8_192)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return bytes
    }
}
