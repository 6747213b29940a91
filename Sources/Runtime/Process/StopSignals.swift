@preconcurrency import Dispatch
import Glibc

/// Signals as values of a sequence, each time one arrives; SIGTERM and SIGINT unless others are named.
enum StopSignals {
    static func sequence(of numbers: [CInt] = [SIGTERM, SIGINT]) -> AsyncStream<CInt> {
        AsyncStream { continuation in
            let sources = numbers.map { number in
                // The default action would end the process before anybody reads the sequence.
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { continuation.yield(number) }
                source.resume()
                return source
            }
            continuation.onTermination = { _ in for source in sources { source.cancel() } }
        }
    }
}
