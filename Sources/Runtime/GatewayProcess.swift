package import Config
import Glibc
import HTTPWire
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
package import Process
import Server
import Serving
import Sessions
import Stores
package import Telemetry
import Transport

/// A gateway that serves: its loops, its listeners, its end.
package final class GatewayProcess: Sendable {
    /// The reason why a gateway could not start.
    package enum StartFailure: Error {
        case cannotBind(BindProblem)
        /// A valid configuration cannot be served, for instance because a file it names is unreadable.
        case configuration(String)
    }

    let group: any TransportGroup
    /// Calls to providers have a loop of their own: their client is NIO's.
    let callGroup: MultiThreadedEventLoopGroup
    let served: NIOLockedValueBox<GatewayCore>
    let reload: NIOLockedValueBox<ReloadStatus>
    let calls: ProviderCalls
    let manager: ServiceManager
    private let stopSignals: AsyncStream<CInt>
    let source: ConfigurationSource?
    let loops: [NIOLoopBound<Listener.Loop>]
    let gauge: ConnectionGauge
    let admin: SideListeners
    /// Where other proxies ask for decisions.
    let authorization: SideListeners
    let phase: NIOLockedValueBox<ProcessStatus.Phase>
    /// The files read at the start, to be watched.
    let watchedFiles = NIOLockedValueBox<[WatchedFile]>([])
    let listeners = NIOLockedValueBox<[BoundListener]>([])

    /// A socket that the gateway listens on.
    struct BoundListener {
        /// As configured; nil for one that was handed over, which no configuration takes away.
        var address: ListenAddress?
        var socket: any TransportListener
    }

    /// Listeners besides the public ones, with what serves them.
    struct SideListeners: Sendable {
        let loops: [NIOLoopBound<Listener.Loop>]
        let bound = NIOLockedValueBox<[BoundListener]>([])
    }

    /// The current configuration's core.
    var core: GatewayCore { served.withLockedValue { $0 } }
    var log: EventLog { core.log }

    /// Compiles the configuration and binds every listener, the admin one first.
    ///
    /// `source`: where the configuration is read again; nil for one that never changes. `reading`: what was read from it at the start.
    package static func start(
        _ configuration: Configuration, log: EventLog, writer: LogWriter, version: ProgramVersion, source: ConfigurationSource? = nil,
        reading: ConfigurationSource.Reading? = nil, manager: ServiceManager = .none
    ) async throws(StartFailure) -> GatewayProcess {
        let (operations, transport) = try operations(configuration, writer, version)
        let log = log.observed(by: operations.observer)
        operations.sinkReports.use(log)
        let snapshot: Snapshot
        do {
            snapshot = try Snapshot(configuration)
        } catch {
            throw .configuration("\(error)")
        }
        let tls: TLSContexts?
        do throws(TLSFailure) {
            tls = try TLSSettings(configuration.server).map { settings throws(TLSFailure) in try TLSContexts(settings) }
        } catch {
            throw .configuration("\(error.file): \(error.reason)")
        }
        let sessions: SharedSessions
        do throws(RevocationFile.Failure) {
            sessions = try snapshot.revocationStorage(log).start()
        } catch {
            throw .configuration(error.reason)
        }
        let accounts: AccountRuntime?
        do throws(AccountRuntime.Failure) {
            accounts = try await AccountRuntime.opened(configuration, continuing: nil, log)
        } catch {
            throw .configuration(error.reason)
        }
        // Before the first listener: a reload that is asked for too early must not end the process.
        signal(SIGHUP, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        // Before `/readyz` succeeds: a supervisor that sees the success may send a signal.
        let stopSignals = await StopSignals.sequence()
        EventLoops.raiseDescriptorLimit(log, connections: configuration.server.limits.connections)
        let process: GatewayProcess
        do {
            process = try await GatewayProcess(
                snapshot: snapshot, tls: tls, log: log, operations: operations, sessions: sessions, accounts: accounts, source: source,
                manager: manager, stopSignals: stopSignals, transport: transport)
        } catch let failure as RedisRuntime.Failure {
            throw .configuration(failure.reason)
        } catch {
            throw .configuration("the event loops did not start: \(error)")
        }
        await process.core.prepare()
        do throws(StartFailure) {
            try await process.bind(configuration)
        } catch {
            await process.shutDown()
            throw error
        }
        if let reading { process.keep(reading, of: configuration) }
        process.core.start()
        return process
    }

    /// The logs, counters and traces of the process, with the log files of the configuration in use.
    private static func operations(
        _ configuration: Configuration, _ writer: LogWriter, _ version: ProgramVersion
    ) throws(StartFailure) -> (Operations, TransportKind) {
        do {
            let transport = try TransportKind(getenv(TransportKind.variable).map { String(cString: $0) })
            let tracing = try TracingOptions.read { getenv($0).map { String(cString: $0) } }
            let operations = Operations(version: version.version, sinks: LogSinks(standardError: writer), tracing: tracing)
            operations.use(try operations.open(configuration))
            return (operations, transport)
        } catch let refusal as TransportKind.Refusal {
            throw .configuration(refusal.reason)
        } catch let refusal as TracingOptions.Refusal {
            throw .configuration(refusal.reason)
        } catch let failure as LogWriter.OpenFailure {
            throw .configuration("cannot write to \(failure.path): \(failure.reason)")
        } catch {
            throw .configuration("\(error)")
        }
    }

    private init(
        snapshot: Snapshot, tls: TLSContexts?, log: EventLog, operations: Operations, sessions: SharedSessions, accounts: AccountRuntime?,
        source: ConfigurationSource?, manager: ServiceManager, stopSignals: AsyncStream<CInt>, transport: TransportKind
    ) async throws {
        let group = try EventLoops.makeGroup(transport)
        let callGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let calls = ProviderCalls(operations)
        let redis = try RedisRuntime.opened(
            snapshot.configuration, continuing: nil, log, operations, loops: RedisRuntime.loops(group, others: callGroup))
        let core = GatewayCore(
            snapshot: snapshot, tls: tls, log: log, operations: operations, calls: calls, group: group, callGroup: callGroup,
            sessionMemory: sessions, redis: redis, accounts: accounts)
        calls.adopt(core.clients)
        self.calls = calls
        let gauge = ConnectionGauge(
            limit: snapshot.configuration.server.limits.connections,
            addressLimit: snapshot.configuration.server.limits.connectionsPerAddress)
        let status = ProcessStatus(core)
        self.group = group
        self.callGroup = callGroup
        served = status.served
        reload = status.reload
        phase = status.phase
        self.manager = manager
        self.stopSignals = stopSignals
        self.source = source
        self.gauge = gauge
        var loops: [NIOLoopBound<Listener.Loop>] = []
        var adminLoops: [NIOLoopBound<Listener.Loop>] = []
        var askedLoops: [NIOLoopBound<Listener.Loop>] = []
        for loop in group.eventLoops {
            let made = try await loop.submit {
                let services = ServerLoop(eventLoop: loop, gauge: gauge)
                let handler = LoopHandler(core.serving, services: services)
                let publicLoop = Listener.Loop(services: services, handler: handler)
                group.setSpareDescriptor(on: loop) { publicLoop.spareDescriptor() }
                let adminHandler = AdminHandler(
                    readiness: { status.readiness() }, metrics: { await status.metrics() }, sessions: { status.adminSessions() })
                let adminLoop = Listener.Loop(services: ServerLoop(eventLoop: loop), handler: adminHandler)
                let askedLoop = Listener.Loop(services: ServerLoop(eventLoop: loop), handler: AuthorizationHandler(handler))
                return [publicLoop, adminLoop, askedLoop].map { NIOLoopBound($0, eventLoop: loop) }
            }.get()
            loops.append(made[0])
            adminLoops.append(made[1])
            askedLoops.append(made[2])
        }
        self.loops = loops
        admin = SideListeners(loops: adminLoops)
        authorization = SideListeners(loops: askedLoops)
        status.loops.withLockedValue { $0 = loops }
    }

    /// The addresses that the gateway listens on, with the assigned ports for port 0.
    package var addresses: [String] { listeners.withLockedValue { $0.compactMap(\.socket.localAddress?.text) } }
    package var adminAddresses: [String] { admin.bound.withLockedValue { $0.compactMap(\.socket.localAddress?.text) } }

    package var authorizationAddresses: [String] { authorization.bound.withLockedValue { $0.compactMap(\.socket.localAddress?.text) } }

    /// Serves until SIGTERM or SIGINT, then lets what is in flight finish. A second signal ends it at once. SIGHUP and changed files
    /// reload.
    package func serve() async {
        var signals = stopSignals.makeAsyncIterator()
        log.write(
            .notice, "ready", "listening",
            [("listen", .text(addresses.joined(separator: ", "))), ("admin", .text(adminAddresses.joined(separator: ", ")))]
                + (authorizationAddresses.isEmpty ? [] : [("authorization", .text(authorizationAddresses.joined(separator: ", ")))])
                + (group.kind == .own ? [] : [("transport", .text(group.kind.rawValue))]))
        manager.ready("listening on " + addresses.joined(separator: ", "))
        let reloads = Task { await self.reloadWhenAsked() }
        let watchdog = Task { await self.feedWatchdog() }
        let traces = Task { [core] in await core.exportTraces() }
        let sinks = Task { [core] in await core.operations.sinks.inspectRegularly() }
        defer { sinks.cancel() }
        let certificates = Task { await CertificateWatch(contexts: { self.core.tls }, log: { self.log }).run() }
        let release = Task { [gauge] in await MemoryRelease.run(gauge) }
        defer {
            certificates.cancel()
            release.cancel()
        }
        _ = await signals.next()
        reloads.cancel()
        phase.withLockedValue { $0 = .draining }
        manager.stopping()
        let timeouts = core.snapshot.configuration.server.timeouts
        let limit = ShutdownLimit(drainDelay: timeouts.drainDelay, shutdown: timeouts.shutdown, now: .now())
        ForcedExit.schedule(at: limit.lastMoment)
        log.write(
            .notice, "draining", "stopping; waiting for requests in flight",
            [("delay_ms", .number(Int(timeouts.drainDelay))), ("limit_ms", .number(Int(timeouts.shutdown)))])
        let draining = Task {
            // A load balancer needs time to notice that `/readyz` fails; until then new connections are served.
            try? await Task.sleep(for: .milliseconds(timeouts.drainDelay))
            await self.drain(limit: timeouts.shutdown)
        }
        // Listened for until the end: whatever the shutdown waits for, a second signal ends it.
        let second = Task {
            guard await signals.next() != nil else { return }
            ForcedExit.schedule(at: .now() + ShutdownLimit.grace)
            draining.cancel()
        }
        defer { second.cancel() }
        await draining.value
        watchdog.cancel()
        traces.cancel()
        await core.postTraces()
        let operations = core.operations
        await shutDown()
        log.write(.notice, "stopped", "stopped")
        endLogs(operations.sinks, until: limit.endOfLogs(now: .now()))
    }

    /// Waits for what was logged to be written, and no longer than `deadline` for a reader that has stopped.
    private func endLogs(_ sinks: LogSinks, until deadline: NIODeadline) {
        for (destination, lines) in sinks.flushStreams(until: deadline) {
            log.write(
                .warning, "log-incomplete", "the last lines of a log were not written: its reader does not read",
                [("to", .text(destination.description)), ("lines_lost", .number(lines))])
        }
        sinks.flushLog(until: max(deadline, .now() + .milliseconds(100)))
    }

    /// Tells the service manager that every event loop turns, twice in the time it grants. A loop that hangs keeps silent for all.
    private func feedWatchdog() async {
        guard let limit = manager.watchdogMicroseconds else { return }
        while !Task.isCancelled {
            for loop in loops { try? await loop.eventLoop.submit {}.get() }
            manager.alive()
            try? await Task.sleep(for: .microseconds(Int64(limit / 2)))
        }
    }

    /// Stops accepting, then waits until the last connection is gone or `limit` milliseconds have passed.
    private func drain(limit: Int64) async {
        for listener in listeners.withLockedValue({ $0 }) + authorization.bound.withLockedValue({ $0 }) {
            try? await listener.socket.close()
        }
        for loop in loops + authorization.loops {
            loop.eventLoop.execute {
                loop.value.services.drain()
                (loop.value.handler as? LoopHandler)?.resources.drain()
            }
        }
        let end = NIODeadline.now() + .milliseconds(limit)
        while NIODeadline.now() < end, !Task.isCancelled {
            if await openConnections() == 0 { return }
            try? await Task.sleep(for: .milliseconds(50))
        }
        let count = await openConnections()
        if count > 0 {
            log.write(
                .warning, "drain-incomplete", "closed connections that were open after server.timeouts.shutdown",
                [("connections", .number(count))])
            for loop in loops + authorization.loops { loop.eventLoop.execute { loop.value.services.abortAll() } }
        }
    }

    private func openConnections() async -> Int {
        var count = 0
        for loop in loops + authorization.loops {
            count += (try? await loop.eventLoop.submit { loop.value.services.connectionCount }.get()) ?? 0
        }
        return count
    }

    /// Reopens the log files after SIGHUP, because log rotation has moved them.
    func reopenFiles() { core.operations.sinks.reopen() }

    private func shutDown() async {
        for loop in loops { try? await loop.eventLoop.submit { (loop.value.handler as? LoopHandler)?.flush() }.get() }
        for listener in listeners.withLockedValue({ $0 }) + admin.bound.withLockedValue({ $0 })
            + authorization.bound.withLockedValue({ $0 })
        {
            try? await listener.socket.close()
        }
        await core.stop()
        try? await group.shutdownGracefully()
        try? await callGroup.shutdownGracefully()
        await core.sessionMemory.journal?.close()
    }

    /// Ends without a signal, for a gateway that lives inside another command.
    package func stop() async {
        await drain(limit: 2_000)
        await shutDown()
    }
}
