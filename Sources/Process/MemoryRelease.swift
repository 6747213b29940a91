import Exchanges
package import Server
import Transport

/// Returns memory to the system when a burst of connections is over.
///
/// The allocator keeps what was freed, in an arena for each thread: after 8,000 TLS connections that was 449 MB. To give it back costs
/// milliseconds in which event loops may wait for memory, so it is done once for each burst and never under steady load.
package struct MemoryRelease {
    package static let interval: Duration = .seconds(2)
    /// Fewer connections are no burst: what they leave is small, and the next ones use it again.
    private static let leastFall = 256

    private var peak = 0
    private var last = 0

    /// Whether to return memory now. To be asked once for each interval, with the connections of now and the most since the last time.
    package mutating func isDue(connections: Int, peak recent: Int) -> Bool {
        peak = max(peak, recent)
        defer { last = connections }
        // The burst goes on ending.
        guard connections >= last else { return false }
        guard peak - connections >= max(Self.leastFall, peak / 2) else { return false }
        peak = connections
        return true
    }

    /// Watches the number of connections. Ends with its task.
    package static func run(_ gauge: ConnectionGauge) async {
        var release = MemoryRelease()
        while !Task.isCancelled {
            try? await Task.sleep(for: interval)
            if release.isDue(connections: gauge.count, peak: gauge.takePeak()) { FreedMemory.release() }
        }
    }
}
