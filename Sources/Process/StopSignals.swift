@preconcurrency import Dispatch
import Glibc

/// Signals as values of a sequence, each time one arrives; SIGTERM and SIGINT unless others are named.
package enum StopSignals {
    /// Returns when the signals are watched: one that comes right after is not lost. One that comes before has its default effect.
    package static func sequence(of numbers: [CInt] = [SIGTERM, SIGINT]) async -> AsyncStream<CInt> {
        let (stream, continuation) = AsyncStream.makeStream(of: CInt.self)
        var sources: [any DispatchSourceSignal] = []
        for number in numbers {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(number) }
            await withCheckedContinuation { (registered: CheckedContinuation<Void, Never>) in
                source.setRegistrationHandler { registered.resume() }
                source.resume()
            }
            sources.append(source)
        }
        let watched = sources
        continuation.onTermination = { _ in for source in watched { source.cancel() } }
        return stream
    }
}
