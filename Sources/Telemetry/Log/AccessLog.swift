package import Config
package import Exchanges
import HTTPWire
package import NIOCore

/// The access log of one event loop: a line for each request, put together on the loop and written elsewhere, many at a time.
package final class AccessLog {
    private let writer: LogWriter
    private let format: AccessLogConfiguration.Format
    let query: AccessLogConfiguration.Query
    private let eventLoop: any EventLoop
    var lines = LineBytes(capacity: 64 * 1024)
    private var waiting = 0
    var clock = AccessClock()

    /// Lines wait for company up to here, or up to this long.
    private static let batch = 32 * 1024
    private static let flushDelay = TimeAmount.milliseconds(200)

    /// `format` is not `auto`.
    package init(writer: LogWriter, format: AccessLogConfiguration.Format, query: AccessLogConfiguration.Query, eventLoop: any EventLoop) {
        self.writer = writer
        self.format = format
        self.query = query
        self.eventLoop = eventLoop
    }

    /// Appends the line of a request; called once for each request when its response has ended.
    package func append(_ exchange: Exchange, _ request: FinishedRequest) {
        clock.refresh(request.endedAt)
        let head = exchange.head
        let entry = AccessEntry(exchange, request, head, head.bytes.byteSpan)
        switch format {
        case .json, .auto: writeJSON(entry)
        case .text: writeText(entry)
        case .combined: writeCombined(entry)
        case .ecs: writeECS(entry)
        }
        lines.put(0x0A)
        waiting += 1
        if lines.count >= Self.batch {
            flush()
        } else if waiting == 1 {
            let bound = NIOLoopBound(self, eventLoop: eventLoop)
            eventLoop.scheduleTask(in: Self.flushDelay) { bound.value.flush() }
        }
    }

    /// Hands the waiting lines to the writer.
    package func flush() {
        guard waiting > 0 else { return }
        writer.write(lines: lines.bytes, count: waiting, of: .access)
        lines.removeAll()
        waiting = 0
    }
}
