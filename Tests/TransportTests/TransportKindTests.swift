import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import Transport

@Suite struct TransportKindTests {
    @Test func theVariableNamesTheTransport() throws {
        #expect(try TransportKind(nil) == .own)
        #expect(try TransportKind("") == .own)
        #expect(try TransportKind("own") == .own)
        #expect(try TransportKind("nio") == .nio)
        let refusal = #expect(throws: TransportKind.Refusal.self) { try TransportKind("NIO") }
        #expect(refusal?.reason == "GATEWAY_TRANSPORT is `NIO`; use own or nio, or remove it")
    }

    @Test(arguments: TransportKind.allCases)
    func bothListenAcceptAndConnect(_ kind: TransportKind) async throws {
        let group = try kind.makeGroup(loops: 2)
        #expect(group.kind == kind)
        let seen = NIOLockedValueBox<[ObjectIdentifier: Int]>([:])
        let all = group.next().makePromise(of: Void.self)
        let options = ConnectionOptions(allowsHalfClosure: true, readsAtOnce: 1)
        // An address of its own: on 127.0.0.1, another test may listen on the port once it is free.
        let listener = try await group.listen(
            .address(SocketAddress(ipAddress: kind == .own ? "127.0.0.201" : "127.0.0.202", port: 0)), backlog: 8, options: options,
            onFailure: { _, _ in },
            prepare: { channel in
                #expect(!channel.usesReserve)
                let count = seen.withLockedValue {
                    $0[ObjectIdentifier(channel.eventLoop), default: 0] += 1
                    return $0.values.reduce(0, +)
                }
                if count == 4 { all.succeed() }
            })
        let address = try #require(listener.localAddress)
        for _ in 0..<4 {
            _ = try await OutgoingConnection.open(to: address, on: group.eventLoops[0], within: .hours(1), options: options).get()
        }
        try await all.futureResult.get()
        #expect(seen.withLockedValue { $0.values.sorted() } == [2, 2])
        try await listener.close()
        try await listener.close()
        await #expect(throws: IOError.self) {
            try await OutgoingConnection.open(to: address, on: group.eventLoops[0], within: .hours(1), options: options).get()
        }
        try await group.shutdownGracefully()
    }

    @Test(arguments: TransportKind.allCases)
    func aConnectionThatIsNotWantedIsClosed(_ kind: TransportKind) async throws {
        struct Unwanted: Error {}
        let group = try kind.makeGroup(loops: 1)
        let options = ConnectionOptions(allowsHalfClosure: false, readsAtOnce: 1)
        let listener = try await group.listen(
            .address(SocketAddress(ipAddress: "127.0.0.1", port: 0)), backlog: 8, options: options, onFailure: { _, _ in },
            prepare: { _ in throw Unwanted() })
        let near = try await OutgoingConnection.open(
            to: #require(listener.localAddress), on: group.next(), within: .hours(1), options: options
        ).get()
        try await near.closeFuture.get()
        try await group.shutdownGracefully()
    }
}
