import Decisions
import Glibc
import HTTPWire
import NIOCore
import NIOEmbedded
import Testing
import Transport

@testable import Proxy
@testable import Exchanges

/// Targets whose connections are embedded channels, or fail.
final class GroupFixture {
    let loop = EmbeddedEventLoop()
    let observer = RecordingObserver()
    let definition: UpstreamDefinition
    /// Targets that take no connection.
    var refusing: Set<Int> = []
    var ejections: [String] = []
    private(set) var channels: [(target: Int, channel: EmbeddedChannel)] = []
    private(set) var pools: [UpstreamPool] = []
    private(set) var group: UpstreamGroup!

    init(targets count: Int, failures: Int = 5) {
        let targets = (0..<count).map { index in
            UpstreamTarget(endpoint: .tcp(host: "192.0.2.\(index + 1)", port: 80), transport: .plain, label: "target \(index)")
        }
        var rule = PassiveHealth.Rule()
        rule.failures = failures
        definition = UpstreamDefinition(targets: targets, ejection: rule)
        let services = LoopServices(eventLoop: loop)
        pools = targets.enumerated().map { index, target in
            UpstreamPool(target: target, index: index, settings: UpstreamSettings(), services: services) {
                [unowned self] connection, _ in
                if refusing.contains(index) {
                    return connection.connectFailed(ConnectFailure(.connectFailed, "192.0.2.\(index + 1):80: ECONNREFUSED"))
                }
                let channel = EmbeddedChannel(loop: loop)
                if let address = try? SocketAddress(ipAddress: "192.0.2.1", port: 80) { channel.connect(to: address, promise: nil) }
                try? channel.pipeline.syncOperations.addHandler(connection)
                connection.connected()
                channels.append((index, channel))
            }
        }
        group = UpstreamGroup(definition, eventLoop: loop, pools: pools) { [unowned self] in ejections.append($0) }
    }

    @discardableResult
    func forward(_ method: HTTPWire.Method = .get, framing: BodyFraming = .none) -> RecordingExchange {
        let exchange = RecordingExchange(loop: loop)
        let request = ForwardedRequest(
            head: ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"), method: method, framing: framing, bodyLimit: nil,
            response: ResponseEdits(addedLines: nil, isPrivate: false, cookies: GatewayCookieNames { _ in false }))
        group.forward(request, of: exchange, observer: observer)
        loop.run()
        return exchange
    }

    func answer(_ index: Int) throws {
        try channels[index].channel.writeInbound(ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    }

    func hangUp(_ index: Int) {
        channels[index].channel.close(promise: nil)
        loop.run()
    }
}

@Suite("Several targets")
struct UpstreamGroupTests {
    @Test("requests in flight are counted from start to end")
    func leastConnections() throws {
        let fixture = GroupFixture(targets: 2)
        for _ in 0..<4 { fixture.forward() }
        #expect(fixture.channels.map(\.target) == [0, 1, 0, 1])
        #expect(fixture.pools.map(\.inFlight) == [2, 2])
        try fixture.answer(0)
        try fixture.answer(2)
        #expect(fixture.pools.map(\.inFlight) == [0, 2])
        fixture.forward()
        fixture.forward()
        // Both on the connections that target 0 has kept.
        #expect(fixture.channels.count == 4 && fixture.pools.map(\.inFlight) == [2, 2])
    }

    @Test("a client that leaves is counted out")
    func clientGone() {
        let fixture = GroupFixture(targets: 2)
        let exchange = fixture.forward()
        exchange.delegate?.exchangeClosed(exchange)
        #expect(fixture.pools.map(\.inFlight) == [0, 0])
    }

    @Test("a target without a connection passes any request on, body and all", arguments: [BodyFraming.none, .length(4), .chunked])
    func refused(framing: BodyFraming) throws {
        let fixture = GroupFixture(targets: 2)
        fixture.refusing = [0]
        let exchange = fixture.forward(.post, framing: framing)
        #expect(fixture.channels.map(\.target) == [1])
        #expect(fixture.observer.failures.isEmpty && exchange.output.isEmpty)
        #expect(exchange.wantsBody == (framing != .none))
        #expect(fixture.pools.map(\.inFlight) == [0, 1])
    }

    @Test("on one other target at most")
    func oneOther() {
        let fixture = GroupFixture(targets: 4)
        fixture.refusing = [0, 1, 2, 3]
        fixture.forward()
        #expect(fixture.observer.failures == [.connectFailed])
        #expect(fixture.pools.map(\.opened).reduce(0, +) == 2)
        #expect(fixture.pools.map(\.inFlight) == [0, 0, 0, 0])
    }

    @Test("P23: a connection that closes without an answer: GET moves on, POST and a body do not")
    func closed() throws {
        let fixture = GroupFixture(targets: 2)
        fixture.forward()
        fixture.hangUp(0)
        #expect(fixture.channels.map(\.target) == [0, 1] && fixture.observer.failures.isEmpty)
        try fixture.answer(1)
        let post = GroupFixture(targets: 2)
        post.forward(.post)
        post.hangUp(0)
        #expect(post.observer.failures == [.closedEarly] && post.channels.count == 1)
        let put = GroupFixture(targets: 2)
        put.forward(.put, framing: .length(3))
        put.hangUp(0)
        #expect(put.observer.failures == [.closedEarly] && put.channels.count == 1)
    }

    @Test("P23: never after a byte of an answer")
    func begun() throws {
        let fixture = GroupFixture(targets: 2)
        fixture.forward()
        try fixture.channels[0].channel.writeInbound(ByteBuffer(string: "HTTP/1.1 2"))
        fixture.hangUp(0)
        #expect(fixture.observer.failures == [.closedEarly] && fixture.channels.count == 1)
    }

    @Test("a late answer is a 504, not another request")
    func late() {
        let fixture = GroupFixture(targets: 2)
        fixture.forward()
        fixture.loop.advanceTime(by: .seconds(62))
        #expect(fixture.observer.failures == [.responseTimeout] && fixture.channels.count == 1)
    }

    @Test("failures in a row leave a target out, and time brings it back")
    func ejection() throws {
        let fixture = GroupFixture(targets: 2, failures: 2)
        fixture.refusing = [0]
        for _ in 0..<4 {
            fixture.forward()
            try fixture.answer(fixture.channels.count - 1)
        }
        #expect(fixture.ejections == ["target 0"])
        let opened = fixture.pools[0].opened
        for _ in 0..<4 { fixture.forward() }
        #expect(fixture.pools[0].opened == opened)
        fixture.refusing = []
        fixture.loop.advanceTime(by: .seconds(11))
        fixture.forward()
        #expect(fixture.pools[0].opened == opened + 1)
    }

    @Test("a target that fails its checks is left out until it passes them, and all failing means all are tried")
    func checks() {
        let fixture = GroupFixture(targets: 2)
        fixture.definition.targets[0].isHealthy = false
        for _ in 0..<3 { fixture.forward() }
        #expect(fixture.channels.map(\.target) == [1, 1, 1])
        fixture.definition.targets[1].isHealthy = false
        fixture.forward()
        #expect(fixture.channels.last?.target == 0)
    }

    @Test("one target alone is never left out")
    func alone() {
        let fixture = GroupFixture(targets: 1, failures: 1)
        fixture.refusing = [0]
        for _ in 0..<5 { fixture.forward() }
        #expect(fixture.observer.failures.count == 5 && fixture.pools[0].opened == 5 && fixture.ejections.isEmpty)
    }
}

@Suite("Dialling")
struct DiallerTests {
    private final class World {
        let loop = EmbeddedEventLoop()
        var answers: [[SocketAddress]] = []
        var questions = 0
        var tried: [String] = []
        var limits: [Int64] = []
        var refusing: Set<String> = []
        var dialler: Dialler!

        init(_ host: String, timeout: Int64 = 3_000) {
            dialler = Dialler(
                endpoint: .tcp(host: host, port: 80), eventLoop: loop, timeout: timeout,
                actions: .init(
                    resolve: { [unowned self] _, _, done in
                        questions += 1
                        let addresses = answers.count > 1 ? answers.removeFirst() : answers.first ?? []
                        done(Resolution(addresses: addresses, error: addresses.isEmpty ? "Name or service not known" : nil))
                    },
                    connect: { [unowned self] address, limit, done in
                        let ip = address.ipAddress ?? ""
                        tried.append(ip)
                        limits.append(limit)
                        if refusing.contains(ip) {
                            done(.failure(ConnectFailure(IOError(errnoCode: ECONNREFUSED, reason: "connect"), at: address, within: limit)))
                        } else {
                            done(.success(EmbeddedChannel(loop: loop)))
                        }
                    }))
        }

        func dial() -> ConnectFailure? {
            let result = NIOLoopBoundBox<ConnectFailure?>(nil, eventLoop: loop)
            dialler.dial { if case .failure(let failure) = $0 { result.value = failure } }
            return result.value
        }
    }

    private func addresses(_ last: Int...) throws -> [SocketAddress] {
        try last.map { try SocketAddress(ipAddress: "192.0.2.\($0)", port: 80) }
    }

    @Test("an address is not asked for", arguments: ["192.0.2.7", "[2001:db8::7]"])
    func literal(host: String) {
        let world = World(host)
        #expect(world.dial() == nil)
        #expect(world.questions == 0 && world.limits == [3_000])
        let other = try? SocketAddress(ipAddress: "192.0.2.9", port: 80)
        #expect(world.dialler.isCurrent(other))
    }

    @Test("all addresses of a name are used, and one that refuses is followed by the next within the same time")
    func several() throws {
        let world = World("app.example")
        world.answers = [try addresses(1, 2, 3)]
        world.refusing = ["192.0.2.1"]
        #expect(world.dial() == nil && world.dial() == nil && world.dial() == nil)
        #expect(world.tried == ["192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.3"])
        #expect(world.limits.allSatisfy { $0 == 1_000 })
    }

    @Test("a name is asked for again for a new connection, but not several times at once")
    func again() throws {
        let world = World("app.example")
        world.answers = [try addresses(1), try addresses(2)]
        #expect(world.dial() == nil && world.dial() == nil && world.questions == 1)
        world.loop.advanceTime(by: .seconds(2))
        #expect(world.dial() == nil && world.questions == 2)
        #expect(world.tried == ["192.0.2.1", "192.0.2.1", "192.0.2.2"])
    }

    @Test("a failed lookup keeps known addresses; a name without known addresses is reported")
    func resolverDown() throws {
        let world = World("app.example")
        #expect(world.dial() == ConnectFailure(.nameUnresolved, "app.example: Name or service not known"))
        world.answers = [try addresses(1), []]
        #expect(world.dial() == nil)
        world.loop.advanceTime(by: .seconds(2))
        #expect(world.dial() == nil && world.tried == ["192.0.2.1", "192.0.2.1"])
        world.refusing = ["192.0.2.1"]
        #expect(world.dial() == ConnectFailure(.connectFailed, "192.0.2.1:80: ECONNREFUSED (Connection refused)"))
    }

    @Test("while there are connections the name is looked at every 30 s, and an address that has left is not current")
    func watch() throws {
        let world = World("app.example")
        world.answers = [try addresses(1), try addresses(2)]
        var told = 0
        var hasConnections = false
        world.dialler.isWatched = { hasConnections }
        world.dialler.onResolved = { told += 1 }
        #expect(world.dial() == nil)
        let old = try addresses(1)[0]
        let new = try addresses(2)[0]
        #expect(world.dialler.isCurrent(old))
        world.loop.advanceTime(by: .seconds(31))
        #expect(world.questions == 1)
        hasConnections = true
        world.loop.advanceTime(by: .seconds(30))
        #expect(world.questions == 2 && told == 2)
        #expect(!world.dialler.isCurrent(old) && world.dialler.isCurrent(new))
        world.dialler = nil
        world.loop.advanceTime(by: .seconds(90))
        #expect(world.questions == 2)
    }
}
