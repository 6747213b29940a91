import NIOCore
import Transport

/// Opens TCP and Unix connections to one endpoint, on one event loop.
///
/// A name is resolved for each new connection, unless that has just been done; its addresses are used in rotation, and one
/// that refuses is followed by the next. While there are connections the name is resolved again now and then, so that unused
/// ones to an address that is no longer its do not stay.
final class Dialler {
    /// Between two looks at what a name stands for.
    static let watchInterval = TimeAmount.seconds(30)

    /// The I/O of a dialler; tests replace it.
    struct Actions {
        var resolve: (_ host: String, _ port: Int, _ done: @escaping @Sendable (Resolution) -> Void) -> Void
        var connect:
            (_ address: SocketAddress, _ milliseconds: Int64, _ done: @escaping @Sendable (Result<any Channel, ConnectFailure>) -> Void) ->
                Void
    }

    private enum Place {
        case address(SocketAddress)
        case name(String, port: Int)
        /// A path that no socket address can hold.
        case nowhere
    }

    private let place: Place
    private let eventLoop: any EventLoop
    private let timeout: Int64
    private let actions: Actions
    private var book = AddressBook()
    private var waiting: [(_ error: String?) -> Void] = []
    private var isResolving = false
    private var watch: RepeatedTask?
    /// Hears which addresses the name has now.
    var onResolved: (() -> Void)?
    /// Whether open connections depend on the name's addresses.
    var isWatched: () -> Bool = { false }

    /// `timeout` in milliseconds: for all attempts of one connection together.
    init(endpoint: UpstreamEndpoint, eventLoop: any EventLoop, timeout: Int64, actions: Actions? = nil) {
        self.eventLoop = eventLoop
        self.timeout = timeout
        self.actions = actions ?? .real(eventLoop)
        switch endpoint {
        case .unix(let path): place = (try? SocketAddress(unixDomainSocketPath: path)).map(Place.address) ?? .nowhere
        case .tcp(let host, let port):
            let bare = Self.literal(host)
            place = (try? SocketAddress(ipAddress: bare, port: port)).map(Place.address) ?? .name(bare, port: port)
        }
    }

    deinit { watch?.cancel() }

    /// Calls back on the event loop with an open channel that has no handlers, or with the reason why there is none.
    func dial(_ done: @escaping @Sendable (Result<any Channel, ConnectFailure>) -> Void) {
        switch place {
        case .address(let address): actions.connect(address, timeout, done)
        case .nowhere: done(.failure(ConnectFailure(.connectFailed, "the path of a Unix socket is too long")))
        case .name(let host, let port):
            let now = now()
            if book.isFresh(now: now) { return tryNext(book.candidates(now: now)[...], limit: nil, ConnectFailure(unresolved: host), done) }
            waiting.append { [unowned self] error in
                let candidates = book.candidates(now: self.now())
                tryNext(candidates[...], limit: nil, ConnectFailure(unresolved: host, error), done)
            }
            resolve(host, port)
            startWatch(host, port)
        }
    }

    /// False only for an address that the name had and has no longer.
    func isCurrent(_ address: SocketAddress?) -> Bool {
        guard case .name = place, let address, !book.addresses.isEmpty else { return true }
        return book.contains(address)
    }

    private func resolve(_ host: String, _ port: Int) {
        guard !isResolving else { return }
        isResolving = true
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        actions.resolve(host, port) { bound.value.resolved($0) }
    }

    private func resolved(_ resolution: Resolution) {
        isResolving = false
        book.update(resolution.addresses, now: now())
        let waiting = self.waiting
        self.waiting = []
        for next in waiting { next(resolution.error) }
        if !resolution.addresses.isEmpty { onResolved?() }
    }

    private func tryNext(
        _ candidates: ArraySlice<SocketAddress>, limit: Int64?, _ last: ConnectFailure,
        _ done: @escaping @Sendable (Result<any Channel, ConnectFailure>) -> Void
    ) {
        guard let address = candidates.first else { return done(.failure(last)) }
        // Each attempt gets its share, so that a dead address does not use up the time of the living ones.
        let limit = limit ?? max(1, timeout / Int64(candidates.count))
        let rest = NIOLoopBound((self, candidates.dropFirst()), eventLoop: eventLoop)
        actions.connect(address, limit) { result in
            let (dialler, rest) = rest.value
            switch result {
            case .success:
                dialler.book.succeeded(address)
                done(result)
            case .failure(let failure):
                dialler.book.failed(address, now: dialler.now())
                dialler.tryNext(rest, limit: limit, failure, done)
            }
        }
    }

    private func startWatch(_ host: String, _ port: Int) {
        guard watch == nil else { return }
        let bound = NIOLoopBound(Weak(self), eventLoop: eventLoop)
        watch = eventLoop.scheduleRepeatedTask(initialDelay: Self.watchInterval, delay: Self.watchInterval) { task in
            guard let dialler = bound.value.dialler else { return task.cancel() }
            if dialler.isWatched() { dialler.resolve(host, port) }
        }
    }

    private struct Weak {
        weak var dialler: Dialler?
        init(_ dialler: Dialler) { self.dialler = dialler }
    }

    private func now() -> Int64 { Int64(eventLoop.now.uptimeNanoseconds / 1_000_000) }

    /// An address literal without its brackets.
    static func literal(_ host: String) -> String {
        host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }
}

extension Dialler.Actions {
    static func real(_ eventLoop: any EventLoop) -> Dialler.Actions {
        Dialler.Actions(
            resolve: { host, port, done in NameResolver.resolve(host, port: port, on: eventLoop).whenSuccess(done) },
            connect: { address, milliseconds, done in
                // The channel gets no handlers here: what they are depends on what the upstream says first.
                OutgoingConnection.open(
                    to: address, on: eventLoop, within: .milliseconds(milliseconds),
                    options: .init(allowsHalfClosure: false, readsAtOnce: 4)
                ).whenComplete { result in
                    switch result {
                    case .success(let channel): done(.success(channel))
                    case .failure(let error): done(.failure(ConnectFailure(error, at: address, within: milliseconds)))
                    }
                }
            })
    }
}
