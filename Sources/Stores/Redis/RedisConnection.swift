import Glibc
import NIOCore
import NIOSSL
import Primitives
import Transport

/// Where a connection leads.
enum RedisTarget: Sendable, Hashable {
    case server(RedisURL.Server)
    case socket(path: String)

    /// For messages.
    var words: String {
        switch self {
        case .server(let server): "\(server.host):\(server.port)"
        case .socket(let path): path
        }
    }
}

/// One connection: sends commands in batches and assigns the replies, which come in the same order.
///
/// Unchecked: only its event loop uses it.
final class RedisConnection: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    typealias Completion = @Sendable (Result<[RedisReply], RedisFailure>) -> Void

    private struct Batch {
        let count: Int
        let deadline: NIODeadline
        let completion: Completion
    }

    /// Commands that wait for replies; more than this, and a server that answers none would fill the memory.
    private static let mostBatches = 10_000

    let target: RedisTarget
    private let library: HiredisLibrary
    private let reader: RedisReader
    private var channel: (any Channel)?
    private var batches = CircularBuffer<Batch>()
    /// Those of the first batch.
    private var replies: [RedisReply] = []
    private var timer: Scheduled<Void>?
    private var isFlushDue = false
    /// The reason why it ended.
    private var failure: RedisFailure?
    /// Called once when it has ended.
    var onClose: (@Sendable (RedisFailure) -> Void)?
    /// Takes every reply instead of the batches: for a connection that has subscribed.
    var onPush: (@Sendable (RedisReply) -> Void)?

    private init(_ target: RedisTarget, _ library: HiredisLibrary) {
        self.target = target
        self.library = library
        reader = RedisReader(library)
    }

    // MARK: Opening

    /// Connects and sends the first commands. Fails after the time limit.
    static func open(
        _ target: RedisTarget, _ opening: RedisOpening, on eventLoop: any EventLoop
    ) -> EventLoopFuture<RedisConnection> {
        let connection = RedisConnection(target, opening.library)
        return addresses(of: target, on: eventLoop)
            .flatMap { addresses in
                // Each attempt gets its share, so that a dead address does not use up the time of the living ones.
                dial(addresses[...], within: .nanoseconds(opening.timeout.nanoseconds / Int64(max(1, addresses.count))), on: eventLoop)
            }
            .flatMapThrowing { channel in
                do {
                    if let tls = opening.tls { try channel.pipeline.syncOperations.addHandler(tls.handler(for: target)) }
                    try channel.pipeline.syncOperations.addHandler(connection)
                } catch {
                    channel.close(mode: .all, promise: nil)
                    throw error
                }
            }
            .flatMapErrorThrowing { error in throw RedisFailure(Self.words(for: error)) }
            .flatMap { connection.greet(opening, eventLoop) }
            .map { connection }
    }

    private static func addresses(of target: RedisTarget, on eventLoop: any EventLoop) -> EventLoopFuture<[SocketAddress]> {
        switch target {
        case .socket(let path): return eventLoop.makeCompletedFuture { [try SocketAddress(unixDomainSocketPath: path)] }
        case .server(let server):
            if let address = try? SocketAddress(ipAddress: server.host, port: server.port) {
                return eventLoop.makeSucceededFuture([address])
            }
            return NameResolver.resolve(server.host, port: server.port, on: eventLoop).flatMapThrowing { resolution throws in
                guard !resolution.addresses.isEmpty else { throw RedisFailure("its name has no address") }
                return resolution.addresses
            }
        }
    }

    /// Connects to the first of the addresses that takes a connection. `limit`: for each attempt.
    private static func dial(
        _ addresses: ArraySlice<SocketAddress>, within limit: TimeAmount, on eventLoop: any EventLoop
    ) -> EventLoopFuture<any Channel> {
        guard let address = addresses.first else { return eventLoop.makeFailedFuture(RedisFailure("its name has no address")) }
        let options = ConnectionOptions(allowsHalfClosure: false, readsAtOnce: 4)
        let opened = OutgoingConnection.open(to: address, on: eventLoop, within: limit, options: options)
        guard addresses.count > 1 else { return opened }
        return opened.flatMapError { _ in dial(addresses.dropFirst(), within: limit, on: eventLoop) }
    }

    private func greet(_ opening: RedisOpening, _ eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        send(opening.commands, deadline: .now() + opening.timeout) { result in
            do {
                for reply in try result.get() {
                    if case .error(let code) = reply, !opening.tolerated.contains(code.name) { throw RedisFailure(code) }
                }
                promise.succeed()
            } catch {
                self.close(error)
                promise.fail(error)
            }
        }
        return promise.futureResult
    }

    /// Library errors may repeat addresses, but no secret.
    private static func words(for error: any Error) -> String {
        switch error {
        case let failure as RedisFailure: failure.reason
        case ChannelError.connectTimeout: "it does not accept a connection in time"
        case is SocketAddressError: "the path of its Unix socket is too long"
        case let error as IOError where error.errnoCode == ECONNREFUSED || error.errnoCode == ENOENT: "it refuses connections"
        case let error as IOError: "the connection fails: \(SystemError.text(error.errnoCode))"
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: "the TLS handshake fails: \(error)"
        default: "the connection fails"
        }
    }

    // MARK: Sending

    /// Sends commands and calls `completion` with one reply for each. `commands`: at least one.
    func send(_ commands: [RedisCommand], deadline: NIODeadline, _ completion: @escaping Completion) {
        if let failure { return completion(.failure(failure)) }
        guard let channel, batches.count < Self.mostBatches else {
            return completion(.failure(RedisFailure("too many commands wait for its replies")))
        }
        batches.append(Batch(count: commands.count, deadline: deadline, completion: completion))
        // The questions about a session fit.
        var buffer = channel.allocator.buffer(capacity: 1_024)
        for command in commands { buffer.writeBytes(command.bytes) }
        channel.write(buffer, promise: nil)
        // One write for all commands of a tick.
        if !isFlushDue {
            isFlushDue = true
            channel.eventLoop.execute {
                self.isFlushDue = false
                self.channel?.flush()
            }
        }
        if timer == nil { scheduleTimer(channel.eventLoop, deadline) }
    }

    /// Sends commands whose replies `onPush` takes.
    func write(_ commands: [RedisCommand]) {
        guard failure == nil, let channel else { return }
        var buffer = channel.allocator.buffer(capacity: 256)
        for command in commands { buffer.writeBytes(command.bytes) }
        channel.writeAndFlush(buffer, promise: nil)
    }

    private func scheduleTimer(_ eventLoop: any EventLoop, _ deadline: NIODeadline) {
        timer = eventLoop.scheduleTask(deadline: deadline) { self.checkDeadline(eventLoop) }
    }

    private func checkDeadline(_ eventLoop: any EventLoop) {
        timer = nil
        guard let first = batches.first else { return }
        guard first.deadline <= .now() else { return scheduleTimer(eventLoop, first.deadline) }
        close(RedisFailure("it does not respond in time", .timeout))
    }

    /// Ends the connection; all commands without a reply fail with the reason.
    func close(_ reason: any Error) {
        guard failure == nil else { return }
        let reason = reason as? RedisFailure ?? RedisFailure(Self.words(for: reason))
        failure = reason
        timer?.cancel()
        timer = nil
        channel?.close(mode: .all, promise: nil)
        channel = nil
        let lost = batches
        batches = []
        for batch in lost { batch.completion(.failure(reason)) }
        onPush = nil
        let onClose = onClose
        self.onClose = nil
        onClose?(reason)
    }

    // MARK: Reading

    func handlerAdded(context: ChannelHandlerContext) { channel = context.channel }

    func channelInactive(context: ChannelHandlerContext) { close(RedisFailure("it closed the connection")) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { close(error) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            try unwrapInboundIn(data).withUnsafeReadableBytes { bytes throws(RedisFailure) in try reader.feed(bytes) }
            while failure == nil, let reply = try reader.next() { take(reply) }
        } catch {
            close(error)
        }
    }

    private func take(_ reply: RedisReply) {
        if let onPush { return onPush(reply) }
        guard let count = batches.first?.count else { return close(RedisFailure("it sends a reply that belongs to no command", .reply)) }
        if replies.isEmpty { replies.reserveCapacity(count) }
        replies.append(reply)
        // What a server that loads its data or has become a replica says is of no use for later commands either.
        if case .error(let code) = reply, code.isOfConnection, isGreeted { return close(RedisFailure(code)) }
        guard replies.count == count else { return }
        hasServed = isGreeted
        isGreeted = true
        let all = replies
        replies = []
        batches.removeFirst().completion(.success(all))
    }

    /// The first batch has its replies.
    private var isGreeted = false
    /// A later batch has its replies.
    private(set) var hasServed = false
}

/// What a connection begins with.
struct RedisOpening: Sendable {
    let library: HiredisLibrary
    let tls: RedisTLS?
    let timeout: TimeAmount
    let commands: [RedisCommand]
    /// Errors of these commands that do not end the connection.
    var tolerated: Set<String> = []
}

/// The TLS of a store's connections.
struct RedisTLS: Sendable {
    private let context: NIOSSLContext

    init(_ settings: RedisSettings.TLS) throws(RedisFailure) {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        do {
            if let authorities = settings.authorities {
                configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authorities))
            }
            if let certificate = settings.certificate, let key = settings.key {
                configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) }
                configuration.privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
            }
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw RedisFailure("session.store: ca, certificate or key is no PEM file that can be used")
        }
    }

    func handler(for target: RedisTarget) throws -> NIOSSLClientHandler {
        // An address has no server name; its certificate must contain the address.
        guard case .server(let server) = target, NetworkAddress(server.host) == nil else {
            return try NIOSSLClientHandler(context: context, serverHostname: nil)
        }
        return try NIOSSLClientHandler(context: context, serverHostname: server.host)
    }
}
