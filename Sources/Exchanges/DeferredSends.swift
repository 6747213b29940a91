public import NIOCore
import Transport

/// Something that has bytes to send. Used on its event loop only.
public protocol DeferredSender: AnyObject {
    /// The turn of the loop ends. There may be nothing left to send.
    func sendDeferred()
}

/// Sends of one event loop's connections, deferred to the end of the turn, after every ready socket has been read.
///
/// To send is the kernel's longest way by far. A turn that first reads and decides for all connections and then sends for all finds the
/// code of each in the processor's cache; one that alternates evicts it with every request.
public final class DeferredSends {
    private final class Turn {
        var senders: [any DeferredSender] = []
        /// The memory of the list that is being worked through.
        var spare: [any DeferredSender] = []
        /// Those that wait for more.
        var held: [any DeferredSender] = []

        func end() {
            // Senders added meanwhile are notified in the next round.
            swap(&senders, &spare)
            // First come, first sent; taken out, so that no reference is counted for the call.
            spare.reverse()
            while let sender = spare.popLast() { sender.sendDeferred() }
        }

        func endHold() {
            while let sender = held.popLast() { sender.sendDeferred() }
        }
    }

    private let eventLoop: any EventLoop
    /// Nil for a loop that cannot say when nothing is to be done.
    private let socketLoop: SocketLoop?
    private let turn = Turn()
    /// Made once, on the loop: at low load there are two turns for each request.
    private lazy var endTurn: @Sendable () -> Void = { [turn, eventLoop] in
        let bound = NIOLoopBound(turn, eventLoop: eventLoop)
        return { bound.value.end() }
    }()

    private lazy var endHold: @Sendable () -> Void = { [turn, eventLoop] in
        let bound = NIOLoopBound(turn, eventLoop: eventLoop)
        return { bound.value.endHold() }
    }()

    public init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        socketLoop = eventLoop as? SocketLoop
    }

    /// Notifies the sender at the end of this turn, once for each call.
    public func add(_ sender: any DeferredSender) {
        turn.senders.append(sender)
        if turn.senders.count == 1 { eventLoop.execute(endTurn) }
    }

    /// Delays a send whose connection expects more to send at once, so that one call sends both. The sender is notified when the loop has
    /// nothing else to do, after half a millisecond at the latest.
    public func hold(_ sender: any DeferredSender) {
        guard let socketLoop else { return add(sender) }
        turn.held.append(sender)
        if turn.held.count == 1 { socketLoop.whenIdle(endHold) }
    }
}
