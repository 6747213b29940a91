import Config
import Testing

@testable import Runtime

@Suite("What a reload applies to")
struct ReloadScopeTests {
    @Test("keys that connections keep are named when they change")
    func connections() {
        let earlier = ServerConfiguration()
        var next = earlier
        #expect(ReloadScope.appliedToNewConnections(earlier, next).isEmpty)
        next.limits.connectionsPerAddress = 3
        next.timeouts.idle = 1_000
        next.timeouts.shutdown = 1_000
        next.http2 = .off
        #expect(
            ReloadScope.appliedToNewConnections(earlier, next)
                == ["server.http2", "server.limits.connectionsPerAddress", "server.timeouts.idle"])
    }

    @Test("addresses are named only where the service manager's sockets stand for them")
    func addresses() {
        let earlier = Configuration()
        var next = earlier
        next.server.listen = [.tcp(host: "127.0.0.1", port: 1)]
        next.admin.listen = [.tcp(host: "127.0.0.1", port: 2)]
        func keys(_ server: Bool, _ admin: Bool) -> [String] {
            ReloadScope.appliedAtRestart(earlier, next, hasInheritedServer: server, hasInheritedAdmin: admin)
        }
        #expect(keys(false, false).isEmpty)
        #expect(keys(true, false) == ["server.listen"])
        #expect(keys(true, true) == ["server.listen", "admin.listen"])
    }
}
