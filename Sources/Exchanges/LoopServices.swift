package import NIOCore

/// What all connections of one event loop share, towards clients and towards upstreams.
package final class LoopServices {
    package let eventLoop: any EventLoop
    package let wheel: DeadlineWheel
    package let sends: DeferredSends

    package init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        wheel = DeadlineWheel(eventLoop: eventLoop)
        sends = DeferredSends(eventLoop: eventLoop)
    }
}
