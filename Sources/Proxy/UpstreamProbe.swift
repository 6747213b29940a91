package import NIOCore
import Exchanges

/// Tries whether a target can be used, up to the moment in which a request would be sent: TCP, TLS with certificate and name,
/// the first SETTINGS of HTTP/2. Sends no request.
package enum UpstreamProbe {
    /// Nil when it can. Takes `milliseconds` and a little at most.
    package static func failure(at target: UpstreamTarget, within milliseconds: Int64, on eventLoop: any EventLoop) async -> ForwardFailure?
    {
        let promise = eventLoop.makePromise(of: ForwardFailure?.self)
        eventLoop.execute {
            var settings = UpstreamSettings()
            settings.connectTimeout = milliseconds
            let pool = UpstreamPool(target: target, settings: settings, services: LoopServices(eventLoop: eventLoop))
            pool.open { failure in
                promise.succeed(failure)
                // The connection is put away first; then it is closed, and the pool with it.
                let bound = NIOLoopBound(pool, eventLoop: eventLoop)
                eventLoop.execute { bound.value.drain() }
            }
        }
        // The promise always succeeds.
        return (try? await promise.futureResult.get()) ?? nil
    }
}
