import HTTPWire
package import Config
import Glibc
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Server

/// A gateway that serves: its loops, its listeners, its end.
package final class GatewayProcess: Sendable {
    /// Why a gateway could not start.
    package enum StartFailure: Error {
        /// Something else listens there, or the address is not this machine's.
        case cannotBind(address: String, reason: String)
        /// The configuration cannot be served although it was found valid; a defect of ours.
        case configuration(String)
    }

    private let group: MultiThreadedEventLoopGroup
    private let core: GatewayCore
    private let log: EventLog
    private let loops: [NIOLoopBound<Listener.Loop>]
    private let adminLoops: [NIOLoopBound<Listener.Loop>]
    private let isDraining: NIOLockedValueBox<Bool>
    private let listeners = NIOLockedValueBox<[any Channel]>([])
    private let adminListeners = NIOLockedValueBox<[any Channel]>([])

    /// Compiles the configuration and binds every listener, the admin one first.
    package static func start(_ configuration: Configuration, log: EventLog) async throws(StartFailure) -> GatewayProcess {
        let snapshot: Snapshot
        do {
            snapshot = try Snapshot(configuration)
        } catch {
            throw .configuration("\(error)")
        }
        signal(SIGPIPE, SIG_IGN)
        EventLoops.raiseDescriptorLimit(log, connections: configuration.server.limits.connections)
        let process: GatewayProcess
        do {
            process = try await GatewayProcess(snapshot: snapshot, log: log)
        } catch {
            throw .configuration("the event loops did not start: \(error)")
        }
        do throws(StartFailure) {
            try await process.bind(configuration)
        } catch {
            await process.shutDown()
            throw error
        }
        process.core.start()
        return process
    }

    private init(snapshot: Snapshot, log: EventLog) async throws {
        let group = EventLoops.makeGroup()
        let core = GatewayCore(snapshot: snapshot, log: log, group: group)
        let isDraining = NIOLockedValueBox(false)
        let gauge = ConnectionGauge(
            limit: snapshot.configuration.server.limits.connections,
            addressLimit: snapshot.configuration.server.limits.connectionsPerAddress)
        self.group = group
        self.core = core
        self.log = log
        self.isDraining = isDraining
        var loops: [NIOLoopBound<Listener.Loop>] = []
        var adminLoops: [NIOLoopBound<Listener.Loop>] = []
        for loop in Self.eventLoops(of: group) {
            let made = try await loop.submit {
                let services = LoopServices(eventLoop: loop, gauge: gauge)
                let handler = RequestPhases(core: core, services: services)
                let adminServices = LoopServices(eventLoop: loop)
                let adminHandler = AdminHandler {
                    var readiness = core.readiness()
                    if isDraining.withLockedValue({ $0 }) {
                        readiness.checks.append(.init(name: "shutdown", isPassing: false, isRequired: true, detail: "draining"))
                    }
                    return readiness
                }
                return (
                    NIOLoopBound(Listener.Loop(services: services, handler: handler), eventLoop: loop),
                    NIOLoopBound(Listener.Loop(services: adminServices, handler: adminHandler), eventLoop: loop)
                )
            }.get()
            loops.append(made.0)
            adminLoops.append(made.1)
        }
        self.loops = loops
        self.adminLoops = adminLoops
    }

    private static func eventLoops(of group: MultiThreadedEventLoopGroup) -> [any EventLoop] {
        var loops: [any EventLoop] = []
        for loop in group.makeIterator() { loops.append(loop) }
        return loops
    }

    private func bind(_ configuration: Configuration) async throws(StartFailure) {
        let admin = Listener(group: group, loops: adminLoops, settings: ServerSettings())
        for address in configuration.admin.listen {
            let channel = try await bind(admin, address)
            adminListeners.withLockedValue { $0.append(channel) }
        }
        var settings = ServerSettings()
        settings.headLimits = .init(
            bytes: configuration.server.limits.headerBytes, fields: configuration.server.limits.headerCount)
        settings.headerTimeout = configuration.server.timeouts.header
        settings.idleTimeout = configuration.server.timeouts.idle
        settings.bodyRate = configuration.server.limits.bodyRate
        settings.rateWindow = configuration.server.timeouts.rateWindow
        settings.requiresProxyProtocol = configuration.server.proxyProtocol == .required
        settings.trustedProxies = core.snapshot.trustedProxies
        let server = Listener(group: group, loops: loops, settings: settings)
        for address in configuration.server.listen {
            let channel = try await bind(server, address)
            listeners.withLockedValue { $0.append(channel) }
        }
    }

    private func bind(_ listener: Listener, _ address: ListenAddress) async throws(StartFailure) -> any Channel {
        let target = Listener.Address(address)
        do {
            return try await listener.bind(target)
        } catch {
            // A machine without IPv6 has no `::`.
            if case .tcp(let host, let port) = target, host.isEmpty,
                let channel = try? await listener.bind(.tcp(host: "0.0.0.0", port: port))
            {
                return channel
            }
            throw .cannotBind(address: target.description, reason: Self.words(for: error))
        }
    }

    private static func words(for error: any Error) -> String {
        guard let error = error as? IOError else { return "the address cannot be used" }
        switch error.errnoCode {
        case EADDRINUSE: return "something else listens there already"
        case EACCES: return "not permitted; ports below 1024 need CAP_NET_BIND_SERVICE"
        case EADDRNOTAVAIL: return "this machine has no such address"
        default: return String(cString: strerror(error.errnoCode))
        }
    }

    /// Where the gateway listens, with the ports that were given for port 0.
    package var addresses: [String] { listeners.withLockedValue { $0.compactMap { Self.text($0.localAddress) } } }
    package var adminAddresses: [String] { adminListeners.withLockedValue { $0.compactMap { Self.text($0.localAddress) } } }

    private static func text(_ address: SocketAddress?) -> String? {
        guard let address else { return nil }
        if let path = address.pathname, !path.isEmpty { return "unix:\(path)" }
        guard let ip = address.ipAddress, let port = address.port else { return nil }
        return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
    }

    /// Waits for SIGTERM or SIGINT, then lets what is in flight finish. A second signal ends it at once.
    package func serve() async {
        log.write(
            .notice, "ready", "the gateway serves",
            [("listen", .text(addresses.joined(separator: ", "))), ("admin", .text(adminAddresses.joined(separator: ", ")))])
        let hangups = Task { [log] in
            for await _ in StopSignals.sequence(of: [SIGHUP]) {
                log.write(.warning, "reload-unsupported", "SIGHUP does nothing in this version: restart to read the configuration again")
            }
        }
        defer { hangups.cancel() }
        var signals = StopSignals.sequence().makeAsyncIterator()
        _ = await signals.next()
        isDraining.withLockedValue { $0 = true }
        let limit = core.snapshot.configuration.server.timeouts.shutdown
        log.write(.notice, "draining", "stopping: requests in flight are finished", [("limit_ms", .number(Int(limit)))])
        let draining = Task { await drain(limit: limit) }
        let second = Task {
            if await signals.next() != nil { draining.cancel() }
        }
        await draining.value
        second.cancel()
        await shutDown()
        log.write(.notice, "stopped", "the gateway has stopped")
        log.flush()
    }

    /// Stops accepting, then waits until the last connection is gone or `limit` milliseconds have passed.
    private func drain(limit: Int64) async {
        for listener in listeners.withLockedValue({ $0 }) { try? await listener.close() }
        for loop in loops {
            loop.eventLoop.execute {
                loop.value.services.drain()
                (loop.value.handler as? RequestPhases)?.drain()
            }
        }
        let end = NIODeadline.now() + .milliseconds(limit)
        while NIODeadline.now() < end, !Task.isCancelled {
            if await openConnections() == 0 { return }
            try? await Task.sleep(for: .milliseconds(50))
        }
        let count = await openConnections()
        if count > 0 {
            log.write(.warning, "drain-incomplete", "connections were cut off", [("connections", .number(count))])
            for loop in loops { loop.eventLoop.execute { loop.value.services.abortAll() } }
        }
    }

    private func openConnections() async -> Int {
        var count = 0
        for loop in loops { count += (try? await loop.eventLoop.submit { loop.value.services.connectionCount }.get()) ?? 0 }
        return count
    }

    private func shutDown() async {
        for listener in listeners.withLockedValue({ $0 }) + adminListeners.withLockedValue({ $0 }) { try? await listener.close() }
        await core.stop()
        try? await group.shutdownGracefully()
    }

    /// Ends without a signal, for a gateway that lives inside another command.
    package func stop() async {
        await drain(limit: 2_000)
        await shutDown()
    }
}

extension Listener.Address {
    init(_ address: ListenAddress) {
        switch address {
        case .tcp(let host, let port): self = .tcp(host: host, port: port)
        case .unix(let path): self = .unix(path: path)
        }
    }
}
