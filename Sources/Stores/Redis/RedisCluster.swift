import NIOCore
import Primitives
import Synchronization

/// The masters of a cluster: sends each command to the one that serves its slot.
///
/// A redirection (`MOVED`, `ASK`) is followed at once. After a `MOVED`, after a failure and every few seconds, the servers are asked for
/// all slots again.
///
/// Unchecked: its state is used on the event loop only, except what is in the lock.
final class RedisCluster: RedisServers, @unchecked Sendable {
    private static let mostRedirects = 5
    private static let mostServers = 1_000
    private static let refreshInterval = TimeAmount.seconds(5)
    private static let shortestInterval = TimeAmount.milliseconds(200)

    private let seeds: [RedisURL.Server]
    private let opening: RedisOpening
    private let eventLoop: any EventLoop
    private var links: [RedisURL.Server: RedisLink] = [:]
    /// The master of each slot; empty: unknown yet.
    private var masters: [RedisURL.Server?] = []
    private var isRefreshing = false
    private var lastRefresh = NIODeadline.uptimeNanoseconds(0)
    private var timer: RepeatedTask?
    private var isClosed = false
    /// Commands that came before the slots were known, with what sends or fails them.
    private var waiting: [@Sendable (RedisFailure?) -> Void] = []
    private var failures = 0
    private let shared = Mutex(RedisLink.Status())

    init(_ seeds: [RedisURL.Server], _ opening: RedisOpening, on eventLoop: any EventLoop) {
        self.seeds = seeds
        self.opening = opening
        self.eventLoop = eventLoop
    }

    var status: RedisLink.Status { shared.withLock { $0 } }

    // MARK: On the event loop

    func start() {
        guard timer == nil else { return }
        timer = eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: Self.shortestInterval) { _ in self.tick() }
    }

    func close() {
        isClosed = true
        timer?.cancel()
        for link in links.values { link.close() }
        links = [:]
        settleWaiting(RedisFailure("the gateway stops"))
    }

    /// Does nothing: a cluster redirects commands with `MOVED`.
    func leave(unless master: RedisTarget) {}

    func locateForMessages() -> EventLoopFuture<RedisTarget> {
        guard let server = links.filter({ $0.value.status.isReady }).keys.randomElement() ?? seeds.randomElement() else {
            return eventLoop.makeFailedFuture(RedisFailure("no server of the cluster is known"))
        }
        return eventLoop.makeSucceededFuture(.server(server))
    }

    func send(_ commands: [RedisCommand], deadline: NIODeadline, _ completion: @escaping RedisConnection.Completion) {
        guard !masters.isEmpty else {
            guard failures == 0, waiting.count < 1_000 else {
                return completion(.failure(RedisFailure(status.failure?.reason ?? "the slots of the cluster are unknown", .circuitOpen)))
            }
            let pending = Gathering(commands.count, completion)
            eventLoop.scheduleTask(deadline: deadline) { pending.fail(RedisFailure("no connection is made in time", .timeout)) }
            waiting.append { failure in
                if let failure { return pending.fail(failure) }
                self.send(commands, deadline: deadline) { pending.finish($0) }
            }
            return
        }
        let gathering = Gathering(commands.count, completion)
        var groups: [RedisURL.Server: [Int]] = [:]
        let anywhere = links.filter { $0.value.status.isReady }.keys.randomElement()
        for (index, command) in commands.enumerated() {
            guard let server = command.key.map({ masters[RedisSlot.of($0)] }) ?? anywhere else {
                return gathering.fail(RedisFailure("the cluster does not serve all slots", .cluster))
            }
            groups[server, default: []].append(index)
        }
        for (server, indices) in groups {
            link(to: server).send(indices.map { commands[$0] }, deadline: deadline) { result in
                switch result {
                case .failure(let failure):
                    self.refreshSoon()
                    gathering.fail(failure)
                case .success(let replies):
                    for (index, reply) in zip(indices, replies) {
                        self.take(reply, commands[index], index, deadline, gathering, redirects: 0)
                    }
                }
            }
        }
    }

    private func take(
        _ reply: RedisReply, _ command: RedisCommand, _ index: Int, _ deadline: NIODeadline, _ gathering: Gathering, redirects: Int
    ) {
        guard case .error(let code) = reply, redirects < Self.mostRedirects, !isClosed else { return gathering.set(index, reply) }
        @Sendable func follow(_ server: RedisURL.Server, asking: Bool) {
            let commands = asking ? [RedisCommand("ASKING"), command] : [command]
            link(to: server).send(commands, deadline: deadline) { result in
                switch result {
                case .failure(let failure): gathering.fail(failure)
                case .success(let replies):
                    guard let last = replies.last else { return gathering.fail(RedisFailure("it sends too few replies", .reply)) }
                    self.take(last, command, index, deadline, gathering, redirects: redirects + 1)
                }
            }
        }
        switch (code.name, code.redirect) {
        case ("MOVED", .some(let redirect)) where !redirect.host.isEmpty:
            let server = RedisURL.Server(host: redirect.host, port: redirect.port)
            if masters.indices.contains(redirect.slot) { masters[redirect.slot] = server }
            refreshSoon()
            follow(server, asking: false)
        case ("ASK", .some(let redirect)) where !redirect.host.isEmpty:
            follow(RedisURL.Server(host: redirect.host, port: redirect.port), asking: true)
        case ("TRYAGAIN", _):
            guard let server = command.key.flatMap({ masters[RedisSlot.of($0)] }) else { return gathering.set(index, reply) }
            eventLoop.scheduleTask(in: .milliseconds(20)) { follow(server, asking: false) }
        default:
            if code.name == "CLUSTERDOWN" { refreshSoon() }
            gathering.set(index, reply)
        }
    }

    private func link(to server: RedisURL.Server) -> RedisLink {
        if let link = links[server] { return link }
        let eventLoop = eventLoop
        let link = RedisLink(opening, on: eventLoop) { eventLoop.makeSucceededFuture(.server(server)) }
        // Redirections of a server that lies are bounded.
        guard links.count < Self.mostServers else { return link }
        links[server] = link
        link.start()
        return link
    }

    // MARK: Slots

    private func tick() {
        updateStatus()
        let interval = status.isReady ? Self.refreshInterval : Self.shortestInterval
        if NIODeadline.now() - lastRefresh >= interval { refresh() }
    }

    private func refreshSoon() {
        guard NIODeadline.now() - lastRefresh >= Self.shortestInterval else { return }
        refresh()
    }

    private func refresh() {
        guard !isRefreshing, !isClosed else { return }
        isRefreshing = true
        lastRefresh = .now()
        // Those that answer first; then the others, and the seeds, whose names may lead to new addresses.
        let known = links.sorted { $0.value.status.isReady && !$1.value.status.isReady }.map(\.key)
        ask((known + seeds).prefix(Self.mostServers)[...], RedisFailure("no server of the cluster is known"))
    }

    private func ask(_ servers: ArraySlice<RedisURL.Server>, _ failure: RedisFailure) {
        guard !isClosed else { return }
        guard let server = servers.first else {
            isRefreshing = false
            failures += 1
            shared.withLock { $0 = RedisLink.Status(failure: failure) }
            return settleWaiting(failure)
        }
        let opening = opening
        RedisConnection.open(.server(server), opening, on: eventLoop).whenComplete { result in
            switch result {
            case .failure(let error):
                let reason = (error as? RedisFailure)?.reason ?? "the connection fails"
                self.ask(servers.dropFirst(), RedisFailure("\(server.host):\(server.port): \(reason)"))
            case .success(let connection):
                connection.send([RedisCommand("CLUSTER", "SLOTS")], deadline: .now() + opening.timeout) { result in
                    connection.close(RedisFailure("the answer is complete"))
                    switch result.flatMap({ replies in RedisSlotMap.masters(replies.first, from: server) }) {
                    case .success(let masters): self.adopt(masters)
                    case .failure(let failure):
                        self.ask(servers.dropFirst(), RedisFailure("\(server.host):\(server.port): \(failure.reason)"))
                    }
                }
            }
        }
    }

    private func adopt(_ found: [RedisURL.Server?]) {
        guard !isClosed else { return }
        isRefreshing = false
        failures = 0
        masters = found
        let current = Set(found.compactMap(\.self))
        for server in current { _ = link(to: server) }
        for (server, link) in links where !current.contains(server) {
            links[server] = nil
            link.close()
        }
        updateStatus()
        settleWaiting(nil)
    }

    private func settleWaiting(_ failure: RedisFailure?) {
        let waiting = waiting
        self.waiting = []
        for settle in waiting { settle(failure) }
    }

    private func updateStatus() {
        guard !masters.isEmpty else { return }
        let current = Set(masters.compactMap(\.self))
        let failing = current.compactMap { links[$0]?.status }.first { !$0.isReady }
        let isComplete = !masters.contains(nil) && current.count == current.filter { links[$0]?.status.isReady == true }.count
        let failure = masters.contains(nil) ? RedisFailure("the cluster does not serve all slots") : failing?.failure
        shared.withLock { $0 = RedisLink.Status(isReady: isComplete, failure: isComplete ? nil : failure ?? $0.failure) }
    }

    /// The replies of one call, from several servers.
    ///
    /// Unchecked: it is used on the event loop only.
    private final class Gathering: @unchecked Sendable {
        private var replies: [RedisReply?]
        private var missing: Int
        private var completion: RedisConnection.Completion?

        init(_ count: Int, _ completion: @escaping RedisConnection.Completion) {
            replies = Array(repeating: nil, count: count)
            missing = count
            self.completion = completion
        }

        func set(_ index: Int, _ reply: RedisReply) {
            guard replies[index] == nil else { return }
            replies[index] = reply
            missing -= 1
            if missing == 0 { finish(.success(replies.compactMap(\.self))) }
        }

        func fail(_ failure: RedisFailure) { finish(.failure(failure)) }

        func finish(_ result: Result<[RedisReply], RedisFailure>) {
            let completion = completion
            self.completion = nil
            completion?(result)
        }
    }
}

/// The reply to `CLUSTER SLOTS`.
enum RedisSlotMap {
    /// The master of each slot; nil where there is none.
    static func masters(_ reply: RedisReply?, from server: RedisURL.Server) -> Result<[RedisURL.Server?], RedisFailure> {
        if case .error(let code) = reply { return .failure(RedisFailure(code)) }
        guard case .array(let ranges) = reply else { return .failure(RedisFailure("it sends no slots")) }
        var masters = [RedisURL.Server?](repeating: nil, count: RedisSlot.count)
        for range in ranges {
            guard case .array(let parts) = range, parts.count >= 3, case .integer(let first) = parts[0], case .integer(let last) = parts[1],
                case .array(let node) = parts[2], node.count >= 2, case .integer(let port) = node[1], (1...65_535).contains(port),
                0 <= first, first <= last, last < Int64(RedisSlot.count)
            else { return .failure(RedisFailure("it sends no slots")) }
            var host = server.host
            // Without a name, the server means itself, as it was reached.
            if case .text(let bytes) = node[0], !bytes.isEmpty, bytes != Array("?".utf8) {
                guard bytes.count <= 255, let name = String(validating: bytes, as: UTF8.self) else {
                    return .failure(RedisFailure("it sends no slots"))
                }
                host = name
            }
            for slot in Int(first)...Int(last) { masters[slot] = RedisURL.Server(host: host, port: Int(port)) }
        }
        guard masters.contains(where: { $0 != nil }) else { return .failure(RedisFailure("the cluster serves no slots")) }
        return .success(masters)
    }
}
