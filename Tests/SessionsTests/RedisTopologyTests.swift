import NIOCore
import NIOPosix
import ServerProcesses
import Sessions
import Stores
import TestTools
import Testing
import Transport

/// Servers with TLS, users, sockets, Sentinels and clusters, on the event loops of both transports. The tests themselves run on no event
/// loop, so the first, which is our own, asks for them.
@Suite(.serialized) struct RedisTopologyTests {
    private static let limits = SessionLimits(idle: 1_000_000, absolute: 86_400_000)
    private static let loops: Result<[any EventLoop], any Error> = Result {
        try TransportKind.own.makeGroup(loops: 1).eventLoops + [MultiThreadedEventLoopGroup.singleton.next()]
    }

    private final class Replica: Sendable {
        let shared: RedisSessions
        let store: RedisSessionStore

        init(_ url: String, tls: RedisSettings.TLS = .init(), _ change: (inout RedisSettings) -> Void = { _ in }) throws {
            var settings = try RedisSettings(url: url, tls: tls)
            settings.timeout = .seconds(20)
            change(&settings)
            shared = try RedisSessions(settings, loops: try RedisTopologyTests.loops.get()) { Example.start }
            store = RedisSessionStore(
                shared, keys: Example.keys, cookieName: "__Host-session", publicURL: Example.publicURL, limits: RedisTopologyTests.limits)
        }

        func hearing() async throws -> Replica {
            try await eventually { self.store.status.isServing && self.store.status.detail.isEmpty }
            return self
        }

        /// Whether a session can be kept and opened.
        func works() async -> Bool {
            guard let cookie = try? await store.save(Example.session(), now: Example.start) else { return false }
            return (try? await store.load(Array(cookie.utf8), now: Example.start)) ?? nil != nil
        }
    }

    @Test func `a socket, a database and a user with a password`() async throws {
        let server = try RedisProcess([
            "user gateway on >p@ss/word ~app:* &app:* +@read +@write +@scripting +@pubsub +@connection +time", "user default off",
        ])
        let replica = try await Replica("redis+unix://gateway:p%40ss%2Fword@\(server.socketPath)?db=3") { $0.prefix = "app:" }.hearing()
        try await SessionStoreConformance(store: replica.store, limits: Self.limits).check()
        for url in ["redis://gateway:wrong@127.0.0.1:\(server.port)", server.url] {
            let refused = try Replica(url) { $0.prefix = "app:" }
            try await eventually { refused.store.status.detail.contains("password") }
            #expect(!refused.store.status.isServing && !refused.store.status.detail.contains("wrong@"))
            await #expect(throws: SessionStoreError.self) { try await refused.store.finishLogin("login", now: Example.start) }
            await refused.shared.close()
        }
        // Another prefix is not the user's.
        let foreign = try Replica("redis://gateway:p%40ss%2Fword@127.0.0.1:\(server.port)")
        try await eventually { foreign.store.status.detail.contains("NOPERM") }
        await foreign.shared.close()
    }

    private static let certificates = """
        cd "$1"
        key() { openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "$@"; }
        for authority in ca other; do key -x509 -days 2 -subj "/CN=$authority" -keyout $authority.key -out $authority.crt; done
        for name in localhost example.org client; do
            key -subj "/CN=$name" -keyout $name.key -out $name.csr
            echo "subjectAltName=DNS:$name" >names
            openssl x509 -req -in $name.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out $name.crt
        done
        """

    @Test func `TLS with an own authority, a client certificate and the server's name`() async throws {
        let files = try RedisProcess(start: false)
        try files.shell(Self.certificates)
        func server(_ name: String) throws -> RedisProcess {
            let folder = files.folder
            let port = try LoopbackPort.claim()
            return try RedisProcess([
                "tls-port \(port)", "tls-cert-file \(folder)/\(name).crt", "tls-key-file \(folder)/\(name).key",
                "tls-ca-cert-file \(folder)/ca.crt", "tls-auth-clients yes", "# \(port)",
            ])
        }
        func url(_ server: RedisProcess) throws -> String {
            let line = try server.run("CONFIG", "GET", "tls-port").split(separator: "\n").last ?? ""
            return "rediss://localhost:\(line)"
        }
        let (good, misnamed) = (try server("localhost"), try server("example.org"))
        let folder = files.folder
        let tls = RedisSettings.TLS(authorities: "\(folder)/ca.crt", certificate: "\(folder)/client.crt", key: "\(folder)/client.key")
        let replica = try await Replica(url(good), tls: tls).hearing()
        #expect(await replica.works())
        await replica.shared.close()
        var foreign = tls
        foreign.authorities = "\(folder)/other.crt"
        let anonymous = RedisSettings.TLS(authorities: tls.authorities)
        for (target, settings) in [(misnamed, tls), (good, foreign), (good, anonymous), (good, RedisSettings.TLS())] {
            let refused = try Replica(url(target), tls: settings)
            try await eventually { !refused.store.status.detail.isEmpty && !refused.store.status.detail.contains("no connection") }
            #expect(!refused.store.status.isServing)
            #expect(await !refused.works())
            await refused.shared.close()
        }
        #expect(throws: SessionStoreError.self) {
            try Replica(url(good), tls: RedisSettings.TLS(authorities: "\(folder)/none.crt"))
        }
    }

    /// A master with a replica, three Sentinels, and a gateway that has kept a session.
    private struct Watched {
        let master: RedisProcess
        let replica: RedisProcess
        let sentinels: [RedisProcess]
        let hosts: String
        let one: Replica
        let session = Example.session()
        let cookie: [UInt8]

        /// `options`: further ones of the master.
        init(_ options: [String] = []) async throws {
            let password = ["requirepass secret", "masterauth secret"]
            let (master, replica) = (try RedisProcess(password + options), try RedisProcess(password))
            try replica.run("REPLICAOF", "127.0.0.1", "\(master.port)", options: ["-a", "secret"])
            let sentinels = try (0..<3).map { _ in
                try RedisProcess(
                    [
                        "requirepass watch", "sentinel sentinel-pass watch", "sentinel monitor main 127.0.0.1 \(master.port) 2",
                        "sentinel auth-pass main secret", "sentinel down-after-milliseconds main 2000",
                        "sentinel failover-timeout main 3000",
                    ], program: "redis-sentinel")
            }
            let gone = try LoopbackPort.claim()
            hosts = (["127.0.0.1:\(gone)"] + sentinels.map { "127.0.0.1:\($0.port)" }).joined(separator: ",")
            one = try await Replica("redis+sentinel://:secret@\(hosts)/main/0") { $0.sentinelPassword = "watch" }.hearing()
            cookie = Array(try await one.store.save(session, now: Example.start).utf8)
            let name = "gateway:session:{\(session.reference)}"
            // The Sentinels have to find the replica and each other, and the replica has to have the data.
            try await eventually {
                try replica.run("EXISTS", name, options: ["-a", "secret"]).contains("1")
                    && sentinels.allSatisfy {
                        try $0.run("SENTINEL", "ckquorum", "main", options: ["-a", "watch"]).contains("OK 3")
                            && $0.run("SENTINEL", "replicas", "main", options: ["-a", "watch"]).contains("\(replica.port)")
                    }
            }
            (self.master, self.replica, self.sentinels) = (master, replica, sentinels)
        }
    }

    @Test func `Sentinels name the master, and a fail-over is followed`() async throws {
        let watched = try await Watched()
        let one = watched.one
        watched.master.stop()
        try await eventually {
            (try? await one.store.load(watched.cookie, now: Example.start)) == watched.session && one.store.status.isServing
        }
        _ = try await one.hearing()
        #expect(await one.works())
        let wrong = try Replica("redis+sentinel://:secret@\(watched.hosts)/unknown/0") { $0.sentinelPassword = "watch" }
        try await eventually { wrong.store.status.detail.contains("does not know the master") }
        await wrong.shared.close()
        await one.shared.close()
    }

    /// The Sentinels make the earlier master a replica ten seconds later: an end that it took until then would be undone. Here it knows no
    /// such command and stays a master, so that only the Sentinels' message makes the gateway leave it.
    @Test func `a master that is replaced while it runs is left at once`() async throws {
        let watched = try await Watched(["rename-command SLAVEOF \"\"", "rename-command REPLICAOF \"\""])
        _ = try watched.sentinels[0].run("SENTINEL", "failover", "main", options: ["-a", "watch"])
        try await eventually {
            try watched.sentinels.allSatisfy {
                try $0.run("SENTINEL", "get-master-addr-by-name", "main", options: ["-a", "watch"]).contains("\(watched.replica.port)")
            }
        }
        try await eventually {
            let session = Example.session()
            guard (try? await watched.one.store.save(session, now: Example.start)) != nil else { return false }
            let name = "gateway:session:{\(session.reference)}"
            return try watched.replica.run("EXISTS", name, options: ["-a", "secret"]).contains("1")
        }
        await watched.one.shared.close()
    }

    /// A slot in the middle of its move: one server has the session, the other says so with `ASK`.
    private func moveOneSlot(of nodes: ArraySlice<RedisProcess>, _ replica: Replica) async throws {
        let session = Example.session(now: Example.start + 1)
        let cookie = Array(try await replica.store.save(session, now: Example.start + 1).utf8)
        let name = "gateway:session:{\(session.reference)}"
        let slot = try nodes[0].run("CLUSTER", "KEYSLOT", name).filter(\.isNumber)
        let owner = try #require(try nodes.first { try $0.run("EXISTS", name) == "1\n" })
        let next = try #require(nodes.first { $0 !== owner })
        let ids = try [owner, next].map { try $0.run("CLUSTER", "MYID").split(separator: "\n").joined() }
        try next.run("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[0])
        try owner.run("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[1])
        #expect(try owner.run("MIGRATE", "127.0.0.1", "\(next.port)", name, "0", "5000") == "OK\n")
        #expect(try owner.run("EXISTS", name).contains("ASK"))
        #expect(try await replica.store.load(cookie, now: Example.start + 1) == session)
        for node in [next, owner] { try node.run("CLUSTER", "SETSLOT", slot, "NODE", ids[1]) }
        #expect(try await replica.store.load(cookie, now: Example.start + 1) == session)
    }

    @Test func `a cluster, its resharding and the loss of a master`() async throws {
        let options = [
            "cluster-enabled yes", "cluster-config-file nodes.conf", "cluster-node-timeout 3000", "cluster-require-full-coverage yes",
        ]
        let nodes = try (0..<4).map { _ in try RedisProcess(options) }
        let first = nodes[0]
        try first.shell(
            "redis-cli --cluster create \(nodes.prefix(3).map { "127.0.0.1:\($0.port)" }.joined(separator: " ")) --cluster-yes")
        try await eventually { try first.run("CLUSTER", "INFO").contains("cluster_state:ok") }
        let id = try first.run("CLUSTER", "MYID").split(separator: "\n").joined()
        try first.shell(
            "redis-cli --cluster add-node 127.0.0.1:\(nodes[3].port) 127.0.0.1:\(first.port) --cluster-slave --cluster-master-id \(id)"
        )
        let url = "redis+cluster://" + nodes.prefix(3).map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        let one = try await Replica(url).hearing()
        let two = try await Replica(url).hearing()
        try await SessionStoreConformance(store: one.store, limits: Self.limits).check()
        // The conformance suite ends everyone up to its time.
        var saved: [[UInt8]] = []
        for _ in 0..<40 {
            saved.append(Array(try await one.store.save(Example.session(now: Example.start + 1), now: Example.start + 1).utf8))
        }
        let cookies = saved
        try await moveOneSlot(of: nodes.prefix(3), two)
        let source = try nodes[1].run("CLUSTER", "MYID").split(separator: "\n").joined()
        // Slots move while sessions are opened: MOVED, ASK and TRYAGAIN.
        let resharding = Task.detached {
            try first.shell(
                "redis-cli --cluster reshard 127.0.0.1:\(first.port) --cluster-from \(source) --cluster-to \(id) --cluster-slots 1500 --cluster-yes"
            )
        }
        var rounds = 0
        while !resharding.isCancelled, rounds < 20 {
            for cookie in cookies {
                let found = try await two.store.load(cookie, now: Example.start + 1)
                #expect(found != nil, "a session was lost in a resharding")
            }
            rounds += 1
        }
        try await resharding.value
        for cookie in cookies { #expect(try await one.store.load(cookie, now: Example.start + 1) != nil) }
        // The first master is lost; its replica takes over.
        try await eventually { try nodes[3].run("INFO", "replication").contains("master_link_status:up") }
        first.stop()
        try await eventually {
            for cookie in cookies where (try? await two.store.load(cookie, now: Example.start + 1)) ?? nil == nil { return false }
            return two.store.status.isServing
        }
        await one.shared.close()
        await two.shared.close()
    }
}
