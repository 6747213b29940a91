import Config
import Exchanges
import Glibc
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Process
import Server
import Serving
import Sessions
import Stores
package import Telemetry
import Transport

extension GatewayProcess {
    /// The cause of a reload.
    enum ReloadTrigger: String, Sendable {
        case signal = "SIGHUP"
        case files = "a file changed"
    }

    private static let glanceInterval: Duration = .seconds(1)

    /// Reloads on SIGHUP and when a file that was read has changed, one after another. Ends with its task.
    func reloadWhenAsked() async {
        guard let source else { return await reopenWhenAsked() }
        // Askings that come while one is being answered are one more.
        let (triggers, continuation) = AsyncStream.makeStream(of: ReloadTrigger.self, bufferingPolicy: .bufferingNewest(1))
        let watch = NIOLockedValueBox(FileWatch(watchedFiles.withLockedValue { $0 }))
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in await StopSignals.sequence(of: [SIGHUP]) { continuation.yield(.signal) }
            }
            group.addTask {
                while !Task.isCancelled {
                    try? await Task.sleep(for: Self.glanceInterval)
                    let identities = watch.withLockedValue { $0.paths }.map(FileIdentity.init(path:))
                    // The paths may have become others meanwhile: then this glance is of no use.
                    if watch.withLockedValue({ $0.paths.count == identities.count && $0.look(identities) }) { continuation.yield(.files) }
                }
                continuation.finish()
            }
            for await trigger in triggers {
                if trigger == .signal { self.reopenFiles() }
                manager.reloading()
                let files = await reload(trigger, from: source)
                watch.withLockedValue { $0 = FileWatch(files) }
                manager.ready("listening on " + addresses.joined(separator: ", "))
            }
        }
    }

    /// A gateway without a file still opens its log files anew.
    private func reopenWhenAsked() async {
        for await _ in await StopSignals.sequence(of: [SIGHUP]) { reopenFiles() }
    }

    /// Reads, checks and serves the next configuration, or changes nothing. Returns what is to be watched from now on.
    private func reload(_ trigger: ReloadTrigger, from source: ConfigurationSource) async -> [WatchedFile] {
        switch source.read() {
        case .failure(let refusal):
            refused(refusal, trigger)
            return refusal.files
        case .success(let reading):
            let named = reading.configuration.namedFiles.map { WatchedFile(path: $0) }
            let files = reading.watched + named
            // Touched, or written anew with the same contents.
            let isSame = reload.withLockedValue { $0.fingerprint == reading.fingerprint && $0.named == named && $0.failure == nil }
            if trigger == .files, isSame { return files }
            let earlier = core.snapshot.configuration
            do throws(ReloadFailure) {
                try await serve(reading.configuration)
            } catch {
                failed(error.reason, trigger)
                // Certificates too: they may be the reason, and mended.
                return reading.files + named
            }
            succeeded(reading, named, trigger)
            reportScope(earlier, reading.configuration)
            return files
        }
    }

    /// The configuration is valid and cannot be served all the same.
    private struct ReloadFailure: Error { var reason: String }

    private func serve(_ configuration: Configuration) async throws(ReloadFailure) {
        let earlier = core
        let snapshot: Snapshot
        do {
            snapshot = try Snapshot(configuration, continuing: earlier.snapshot)
        } catch {
            throw ReloadFailure(reason: "the configuration cannot be compiled: \(error)")
        }
        let streams: Operations.OpenedStreams
        do {
            streams = try earlier.operations.open(configuration)
        } catch {
            throw ReloadFailure(reason: "cannot write to \(error.path): \(error.reason)")
        }
        let tls = try contexts(configuration, earlier)
        let opened = try await openListeners(configuration)
        let log = earlier.log.adopting(configuration.logging)
        let storage = snapshot.revocationStorage(log)
        let journal: RevocationStorage.JournalChange
        do {
            journal = try storage.prepare(earlier.sessionMemory, after: earlier.snapshot.sessionKeys)
        } catch {
            await abandon(opened)
            throw ReloadFailure(reason: error.reason)
        }
        let accounts: AccountRuntime?
        do throws(AccountRuntime.Failure) {
            accounts = try await AccountRuntime.opened(configuration, continuing: earlier.accounts?.runtime, log)
        } catch {
            await abandon(opened)
            throw ReloadFailure(reason: error.reason)
        }
        let redis: RedisRuntime?
        do throws(RedisRuntime.Failure) {
            redis = try RedisRuntime.opened(
                configuration, continuing: earlier.redis, log, earlier.operations, loops: RedisRuntime.loops(group, others: callGroup))
        } catch {
            await abandon(opened)
            throw ReloadFailure(reason: error.reason)
        }
        let next = GatewayCore(
            snapshot: snapshot, tls: tls, log: log, continuing: earlier, group: group, callGroup: callGroup, redis: redis,
            accounts: accounts)
        await next.prepare()
        next.start(after: earlier)
        await next.refresher.adopt(providers: next.clients, contents: snapshot.contents, report: next.log.reportRefresh)
        gauge.setLimits(configuration.server.limits.connections, ofAddress: configuration.server.limits.connectionsPerAddress)
        served.withLockedValue { $0 = next }
        await storage.use(journal, in: next.sessionMemory)
        calls.adopt(next.clients)
        next.operations.use(streams)
        next.operations.sinkReports.use(next.log)
        for loop in loops {
            try? await loop.eventLoop.submit { (loop.value.handler as? LoopHandler)?.adopt(next.serving) }.get()
        }
        let settings = ServerSettings.forQuestions(next)
        for loop in authorization.loops { try? await loop.eventLoop.submit { loop.value.services.settings = settings }.get() }
        await earlier.retire(for: next)
        await replaceListeners(opened)
    }

    /// The certificates that the configuration names, read anew; sessions that TLS resumes go on where the settings stayed.
    private func contexts(_ configuration: Configuration, _ earlier: GatewayCore) throws(ReloadFailure) -> TLSContexts? {
        guard let settings = TLSSettings(configuration.server) else { return nil }
        if let known = earlier.tls, TLSSettings(earlier.snapshot.configuration.server) == settings {
            if case .failed(let failure) = known.reload() { throw ReloadFailure(reason: "\(failure.file): \(failure.reason)") }
            return known
        }
        do throws(TLSFailure) {
            return try TLSContexts(settings)
        } catch {
            throw ReloadFailure(reason: "\(error.file): \(error.reason)")
        }
    }

    // MARK: Listeners

    private struct OpenedListeners {
        var server: [BoundListener]
        var admin: [BoundListener]
        var authorization: [BoundListener]
        var closed: [any TransportListener]
    }

    /// Opens what the configuration adds. What it takes away goes on until `replaceListeners`; a failure leaves all as it was.
    private func openListeners(_ configuration: Configuration) async throws(ReloadFailure) -> OpenedListeners {
        var opened: [any TransportListener] = []
        var closed: [any TransportListener] = []
        do throws(StartFailure) {
            let server = try await merged(
                listeners.withLockedValue { $0 }, configuration.server.listen, .public, opened: &opened, closed: &closed)
            let admin = try await merged(
                admin.bound.withLockedValue { $0 }, configuration.admin.listen, .admin, opened: &opened, closed: &closed)
            let authorization = try await merged(
                authorization.bound.withLockedValue { $0 }, configuration.authorization?.listen ?? [], .authorization, opened: &opened,
                closed: &closed)
            return OpenedListeners(server: server, admin: admin, authorization: authorization, closed: closed)
        } catch {
            for socket in opened { try? await socket.close() }
            switch error {
            case .cannotBind(let problem): throw ReloadFailure(reason: problem.description)
            case .configuration(let reason): throw ReloadFailure(reason: reason)
            }
        }
    }

    private func merged(
        _ bound: [BoundListener], _ addresses: [ListenAddress], _ role: ListenerRole, opened: inout [any TransportListener],
        closed: inout [any TransportListener]
    ) async throws(StartFailure) -> [BoundListener] {
        // Sockets that were handed over are the service manager's to change.
        if bound.contains(where: { $0.address == nil }) { return bound }
        var result: [BoundListener] = []
        for address in addresses {
            if let kept = bound.first(where: { $0.address == address }) {
                result.append(kept)
            } else {
                let socket = try await bind(role, address)
                opened.append(socket)
                result.append(BoundListener(address: address, socket: socket))
            }
        }
        closed += bound.filter { listener in !addresses.contains { $0 == listener.address } }.map(\.socket)
        return result
    }

    /// Closes what was opened for a configuration that is not served after all.
    private func abandon(_ opened: OpenedListeners) async {
        let before = [listeners, admin.bound, authorization.bound].flatMap { $0.withLockedValue { $0 } }.map { ObjectIdentifier($0.socket) }
        for listener in opened.server + opened.admin + opened.authorization where !before.contains(ObjectIdentifier(listener.socket)) {
            try? await listener.socket.close()
        }
    }

    private func replaceListeners(_ opened: OpenedListeners) async {
        listeners.withLockedValue { $0 = opened.server }
        admin.bound.withLockedValue { $0 = opened.admin }
        authorization.bound.withLockedValue { $0 = opened.authorization }
        for socket in opened.closed { try? await socket.close() }
    }

    // MARK: Reporting

    /// What the start read: a reload compares with it.
    func keep(_ reading: ConfigurationSource.Reading, of configuration: Configuration) {
        let named = configuration.namedFiles.map { WatchedFile(path: $0) }
        reload.withLockedValue {
            $0.hash = reading.hash
            $0.fingerprint = reading.fingerprint
            $0.named = named
        }
        watchedFiles.withLockedValue { $0 = reading.watched + named }
    }

    private func succeeded(_ reading: ConfigurationSource.Reading, _ named: [WatchedFile], _ trigger: ReloadTrigger) {
        reload.withLockedValue {
            $0.successes += 1
            $0.failure = nil
            $0.servedSince = wallClock()
            $0.hash = reading.hash
            $0.fingerprint = reading.fingerprint
            $0.named = named
        }
        for warning in reading.warnings { log.write(.warning, "configuration-warning", warning.message, warning.fields) }
        log.write(
            .notice, "reloaded", "configuration reloaded",
            [
                ("trigger", .text(trigger.rawValue)), ("hash", .text(reading.hash)), ("generation", .number(core.serving.generation)),
                ("listen", .text(addresses.joined(separator: ", "))),
            ])
    }

    /// Logs changed keys that the reload does not apply to everything.
    private func reportScope(_ earlier: Configuration, _ next: Configuration) {
        let later = ReloadScope.appliedToNewConnections(earlier.server, next.server)
        if !later.isEmpty {
            log.write(
                .notice, "reload-new-connections",
                "changed keys apply to new connections; open connections keep the earlier values",
                [("keys", .text(later.joined(separator: ", ")))])
        }
        func isInherited(_ bound: NIOLockedValueBox<[BoundListener]>) -> Bool {
            bound.withLockedValue { $0.contains { $0.address == nil } }
        }
        let ignored = ReloadScope.appliedAtRestart(
            earlier, next, hasInheritedServer: isInherited(listeners), hasInheritedAdmin: isInherited(admin.bound))
        if !ignored.isEmpty {
            log.write(
                .warning, "reload-ignored", "changed keys have no effect: the service manager passed the sockets; change its socket unit",
                [("keys", .text(ignored.joined(separator: ", ")))])
        }
        if earlier.server.limits.connections != next.server.limits.connections {
            EventLoops.raiseDescriptorLimit(log, connections: next.server.limits.connections)
        }
    }

    private func refused(_ refusal: ConfigurationSource.Refusal, _ trigger: ReloadTrigger) {
        for finding in refusal.errors { log.write(.error, "configuration-error", finding.message, finding.fields) }
        let count = refusal.errors.count
        failed(
            count == 0 ? "the configuration cannot be read" : "the configuration has \(count) error\(count == 1 ? "" : "s")", trigger,
            report: refusal.report)
    }

    private func failed(_ reason: String, _ trigger: ReloadTrigger, report: String? = nil) {
        reload.withLockedValue {
            $0.failures += 1
            $0.failure = .init(at: wallClock(), reason: reason)
        }
        log.write(
            .error, "reload-failed", "reload failed; the previous configuration stays in use",
            [("reason", .text(reason)), ("trigger", .text(trigger.rawValue))] + (report.map { [("report", .text($0))] } ?? []))
    }
}

extension Configuration {
    /// Files that the listeners' certificates are made of.
    package var certificateFiles: [String] { TLSSettings(server)?.files ?? [] }

    /// Files that are not part of the configuration's text and are read when it is put to use.
    var namedFiles: [String] {
        let upstreams = [upstream].compactMap { $0 } + routes.compactMap(\.upstream)
        return (upstreams.flatMap(\.tls.files) + (session.store?.files ?? [])).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension ConfigurationSource.Finding {
    package var fields: [(String, EventLog.Value)] {
        [("rule", .text(rule)), ("file", .text(file)), ("line", .number(line)), ("column", .number(column))]
    }
}
