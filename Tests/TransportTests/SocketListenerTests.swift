import Glibc
import NIOConcurrencyHelpers
import NIOCore
import TestTools
import Testing

@testable import Transport

@Suite struct SocketListenerTests {
    private let options = ConnectionOptions(allowsHalfClosure: true, readsAtOnce: 1)

    private func connect(_ group: SocketLoopGroup, _ address: SocketAddress) -> EventLoopFuture<any Channel> {
        SocketChannel.connect(to: address, on: group.loops[0], within: .hours(1), options: options)
    }

    @Test func connectionsGoToTheLoopsInTurn() async throws {
        let group = try SocketLoopGroup(count: 3)
        let seen = NIOLockedValueBox<[ObjectIdentifier: Int]>([:])
        let all = group.loops[0].makePromise(of: Void.self)
        let listener = try await SocketListener.onLoopback(group, options) { channel in
            let count = seen.withLockedValue {
                $0[ObjectIdentifier(channel.eventLoop), default: 0] += 1
                return $0.values.reduce(0, +)
            }
            if count == 30 { all.succeed() }
        }
        for _ in 0..<30 { _ = try await connect(group, #require(listener.localAddress)).get() }
        try await all.futureResult.get()
        #expect(seen.withLockedValue { $0.values.sorted() } == [10, 10, 10])
        try await group.shutdownGracefully()
    }

    /// Connections that wait for a busy loop took the descriptors that requests need: no limit counted them.
    @Test func aBusyLoopIsHandedAFewConnectionsOnly() async throws {
        let group = try SocketLoopGroup(count: 2)
        let clients = try SocketLoopGroup(count: 1)
        let mayGoOn = ConditionLock(value: false)
        let prepared = NIOLockedValueBox(0)
        let (some, all) = (clients.loops[0].makePromise(of: Void.self), clients.loops[0].makePromise(of: Void.self))
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 0)
        // The listener is on the group's first turn, which is the second loop.
        let listener = try await SocketListener.open(
            at: address, backlog: 64, on: group, options: options, mostHandedOver: 3, onFailure: { _, _ in }
        ) { _ in
            let count = prepared.withLockedValue {
                $0 += 1
                return $0
            }
            if count == 2 { some.succeed() }
            if count == 20 { all.succeed() }
        }
        group.loops[0].execute {
            mayGoOn.lock(whenValue: true)
            mayGoOn.unlock()
        }
        for _ in 0..<20 { _ = try await connect(clients, #require(listener.localAddress)).get() }
        try await some.futureResult.get()
        // Turns in which it could accept all others.
        for _ in 0..<20 { try await group.loops[1].submit {}.get() }
        #expect(prepared.withLockedValue { $0 } <= 4)
        mayGoOn.lock()
        mayGoOn.unlock(withValue: true)
        try await all.futureResult.get()
        try await clients.shutdownGracefully()
        try await group.shutdownGracefully()
    }

    @Test func aConnectionThatIsNotWantedIsClosed() async throws {
        let group = try SocketLoopGroup(count: 1)
        struct Unwanted: Error {}
        let listener = try await SocketListener.onLoopback(group, options) { _ in throw Unwanted() }
        let near = try await listener.connection(on: group)
        try await near.closeFuture.get()
        try await group.shutdownGracefully()
    }

    @Test func aUnixSocketThatIsLeftOfAnEarlierProcessIsTakenAway() async throws {
        let group = try SocketLoopGroup(count: 1)
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let address = try SocketAddress(unixDomainSocketPath: path)
        let left = try await SocketListener.open(at: address, backlog: 8, on: group, options: options, onFailure: { _, _ in }) { _ in }
        try await left.close()
        let listener = try await SocketListener.open(at: address, backlog: 8, on: group, options: options, onFailure: { _, _ in }) { _ in }
        #expect(listener.localAddress?.pathname == path)
        _ = try await connect(group, address).get()
        try await group.shutdownGracefully()
    }

    @Test func aFileThatIsNoSocketStays() async throws {
        let group = try SocketLoopGroup(count: 1)
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        Glibc.close(Glibc.open(path, O_CREAT | O_WRONLY, 0o600))
        let error = await #expect(throws: IOError.self) {
            try await SocketListener.open(
                at: SocketAddress(unixDomainSocketPath: path), backlog: 8, on: group, options: options, onFailure: { _, _ in }
            ) { _ in }
        }
        #expect(error?.errnoCode == EADDRINUSE)
        #expect(access(path, F_OK) == 0)
        try await group.shutdownGracefully()
    }

    @Test func aSocketThatListensAlreadyIsTakenOver() async throws {
        let group = try SocketLoopGroup(count: 1)
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 0)
        let descriptor = try Sockets.open(for: address)
        try Sockets.listen(descriptor, at: address, backlog: 8)
        let accepted = group.loops[0].makePromise(of: Void.self)
        let listener = try await SocketListener.adopt(descriptor, backlog: 8, on: group, options: options, onFailure: { _, _ in }) { _ in
            accepted.succeed()
        }
        _ = try await connect(group, #require(listener.localAddress)).get()
        try await accepted.futureResult.get()
        try await listener.close()
        await #expect(throws: IOError.self) { try await connect(group, #require(listener.localAddress)).get() }
        try await group.shutdownGracefully()
    }
}
