import NIOCore
import NIOPosix
import Testing

@testable import Backchannel

@Suite struct ProviderTransportShutdownTests {
    @Test func `a shutdown waits for the calls under way, so that their event loop may stop; later calls fail`() async throws {
        let server = try await ScriptedServer()
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        server.script { _ in
            arrived.yield()
            return .silence
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let transport = ProviderTransport(group: group)
        let url = server.origin + "/.well-known/openid-configuration"
        let call = Task { await transport.exchange(.get(url)) }
        var arrival = arrivals.makeAsyncIterator()
        await arrival.next()
        try await transport.shutdown()
        #expect(transport.callCount == 0)
        // NIO's debug builds trap if a call is still using the event loop.
        try await group.shutdownGracefully()
        guard case .failure = await call.value else {
            Issue.record("the call ended with an answer that the server never sent")
            return
        }
        guard case .failure(.unreachable("the gateway stops")) = await transport.exchange(.get(url)) else {
            Issue.record("a call after the shutdown was not refused")
            return
        }
        await server.stop()
    }
}
