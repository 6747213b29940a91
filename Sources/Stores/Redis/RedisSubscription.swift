import NIOCore
import Synchronization
import TokenCrypto

/// Listens to the messages of the other replicas, and knows whether it hears them.
///
/// The process publishes a beat to a channel of its own, through the connection for commands. Only while beats come back does it hear what
/// others publish: an open connection alone proves nothing.
///
/// Unchecked: its state is used on the event loop only, except what is in the lock.
final class RedisSubscription: @unchecked Sendable {
    /// A broken or silent subscription is noticed within two seconds.
    private static let beatInterval = TimeAmount.milliseconds(300)
    private static let longestSilence = TimeAmount.milliseconds(1_500)

    /// What is called on the event loop.
    struct Listener: Sendable {
        let onMessage: @Sendable ([UInt8]) -> Void
        /// With true when it hears the others from now on, and with false when it no longer does.
        let onHearing: @Sendable (Bool) -> Void
        /// When the status of the servers, or of the subscription, has changed.
        let onStatus: @Sendable () -> Void
    }

    private let servers: any RedisServers
    private let opening: RedisOpening
    private let eventLoop: any EventLoop
    /// One for all replicas, and one of this process alone.
    private let channels: (ends: [UInt8], beats: [UInt8])
    private let status: @Sendable () -> RedisLink.Status
    private let listener: Listener
    private var reported: (isReady: Bool, isHearing: Bool)?

    private var connection: RedisConnection?
    private var isConnecting = false
    private var isHearing = false
    private var lastBeat = NIODeadline.now()
    private var failures = 0
    private var retryAt = NIODeadline.now()
    private var timer: RepeatedTask?
    private let failure = Mutex<RedisFailure?>(nil)

    /// `status`: of all servers, on every event loop.
    init(
        _ servers: any RedisServers, _ opening: RedisOpening, prefix: String, on eventLoop: any EventLoop,
        status: @escaping @Sendable () -> RedisLink.Status, _ listener: Listener
    ) {
        channels = (
            Array((prefix + "ends").utf8), Array((prefix + "beat:").utf8) + SecureRandom.bytes(8).flatMap { Self.hexadecimal($0) }
        )
        self.servers = servers
        self.opening = opening
        self.eventLoop = eventLoop
        self.status = status
        self.listener = listener
    }

    private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// The reason why it does not hear the others; nil while it does.
    var problem: RedisFailure? { failure.withLock { $0 } }

    // MARK: On the event loop

    func start() {
        guard timer == nil else { return }
        timer = eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: Self.beatInterval) { _ in self.tick() }
    }

    func close() {
        timer?.cancel()
        timer = nil
        connection?.close(RedisFailure("the gateway stops"))
        connection = nil
    }

    /// The command that publishes to all replicas.
    func publication(of message: [UInt8]) -> RedisCommand { RedisCommand([Array("PUBLISH".utf8), channels.ends, message], key: nil) }

    private func tick() {
        reportStatus()
        let now = NIODeadline.now()
        if connection != nil, now - lastBeat > Self.longestSilence {
            return lose(RedisFailure("its messages do not arrive"))
        }
        if connection == nil, !isConnecting, now >= retryAt { connect() }
        guard connection != nil else { return }
        servers.send([RedisCommand([Array("PUBLISH".utf8), channels.beats, []], key: nil)], deadline: now + opening.timeout) { result in
            switch result {
            case .failure(let failure): self.failure.withLock { $0 = self.isHearing ? $0 : failure }
            case .success(let replies):
                if case .error(let code) = replies.first { self.failure.withLock { $0 = RedisFailure(code) } }
            }
        }
    }

    private func reportStatus() {
        let servers = self.status()
        let status = (isReady: servers.isReady, isHearing: isHearing)
        // At the start, a failure is worth a report, and the first moments are not.
        guard status != reported ?? (true, true), status.isReady || servers.failure != nil else { return }
        guard !status.isReady || isHearing || problem != nil else { return }
        reported = status
        listener.onStatus()
    }

    private func connect() {
        isConnecting = true
        let (eventLoop, opening) = (eventLoop, opening)
        let opened = servers.locateForMessages().hop(to: eventLoop).flatMap { RedisConnection.open($0, opening, on: eventLoop) }
        opened.whenComplete { result in
            self.isConnecting = false
            switch result {
            case .failure(let error): self.lose(error as? RedisFailure ?? RedisFailure("the connection fails"))
            case .success(let connection):
                guard self.timer != nil else { return connection.close(RedisFailure("the gateway stops")) }
                self.subscribe(connection)
            }
        }
    }

    private func subscribe(_ connection: RedisConnection) {
        self.connection = connection
        lastBeat = .now()
        connection.onPush = { reply in self.take(reply, from: connection) }
        connection.onClose = { failure in
            guard self.connection === connection else { return }
            self.lose(failure)
        }
        connection.write([RedisCommand([Array("SUBSCRIBE".utf8), channels.ends, channels.beats], key: nil)])
    }

    private func lose(_ failure: RedisFailure) {
        let earlier = connection
        connection = nil
        earlier?.close(failure)
        self.failure.withLock { $0 = failure }
        failures += 1
        retryAt = .now() + RedisLink.pause(after: failures)
        guard isHearing else { return }
        isHearing = false
        failures = 0
        retryAt = .now()
        listener.onHearing(false)
    }

    private func take(_ reply: RedisReply, from connection: RedisConnection) {
        guard self.connection === connection else { return }
        guard case .array(let parts) = reply, let first = parts.first, case .text(let kind) = first else {
            if case .error(let code) = reply { return lose(RedisFailure(code)) }
            return lose(RedisFailure("it sends something other than messages"))
        }
        guard kind.elementsEqual("message".utf8) else {
            guard kind.elementsEqual("subscribe".utf8) else { return lose(RedisFailure("it sends something other than messages")) }
            return
        }
        guard parts.count == 3, case .text(let name) = parts[1], case .text(let payload) = parts[2] else {
            return lose(RedisFailure("it sends something other than messages"))
        }
        if name == channels.ends { return listener.onMessage(payload) }
        guard name == channels.beats else { return }
        lastBeat = .now()
        guard !isHearing else { return }
        isHearing = true
        failures = 0
        failure.withLock { $0 = nil }
        listener.onHearing(true)
    }
}
