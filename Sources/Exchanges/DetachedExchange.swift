package import HTTPWire
package import NIOCore

/// An exchange without a client: a request that the gateway makes by itself. Reports the status once; the body is thrown away.
package final class DetachedExchange: Exchange {
    private var done: ((_ status: Int?) -> Void)?

    /// `done` hears the status of a complete response, nil for one that broke off.
    package init(eventLoop: any EventLoop, done: @escaping (_ status: Int?) -> Void) {
        self.done = done
        super.init(eventLoop: eventLoop, peer: PeerAddress(nil), isSecure: false)
    }

    /// Reports that no response came, or none in time.
    package func fail() { finish(nil) }

    private func finish(_ status: Int?) {
        delegate = nil
        let done = self.done
        self.done = nil
        done?(status)
    }

    package override func sendHead(
        status: Int, reason: RawSpan?, framing: ResponseFraming, hasDate: Bool, lines: (inout LineBytes) -> Void
    ) { self.status = status }
    package override func sendInterim(status: Int, lines: (inout LineBytes) -> Void) {}
    package override func sendBody(_ bytes: ByteBuffer) { record.sentBodyBytes += bytes.readableBytes }
    package override func sendEnd(trailers: ByteBuffer?) { finish(status) }
    package override func flush() {}
    package override func abort() { finish(nil) }
    package override func startBody(limit: Int?) { delegate?.exchangeReceivedEnd(self, trailers: nil) }
    package override func pauseBody(_ isPaused: Bool) {}
    package override func startTunnel() {}
    package override func closeAfterResponse() {}
    package override var isWritable: Bool { true }
}
