package import NIOCore

/// Options, and the operations that NIO calls.
extension SocketChannel {
    package func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> EventLoopFuture<Void> {
        loop.inEventLoop
            ? loop.makeCompletedFuture { try setOption0(option, value) } : loop.submit { try self.setOption0(option, value) }
    }

    package func getOption<Option: ChannelOption>(_ option: Option) -> EventLoopFuture<Option.Value> {
        loop.inEventLoop ? loop.makeCompletedFuture { try getOption0(option) } : loop.submit { try self.getOption0(option) }
    }

    struct SynchronousOptions: NIOSynchronousChannelOptions {
        let channel: SocketChannel
        func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) throws { try channel.setOption0(option, value) }
        func getOption<Option: ChannelOption>(_ option: Option) throws -> Option.Value { try channel.getOption0(option) }
    }

    private func setOption0<Option: ChannelOption>(_ option: Option, _ value: Option.Value) throws {
        guard state != .closed else { throw ChannelError.ioOnClosedChannel }
        switch (option, value) {
        case (is ChannelOptions.Types.AutoReadOption, let value as Bool):
            input.readsByItself = value
            if !value { input.isWanted = false } else if state == .open { readAgain() }
        case (is ChannelOptions.Types.WriteBufferWaterMarkOption, let value as ChannelOptions.Types.WriteBufferWaterMark):
            output.marks = value
        default: throw ChannelError.operationUnsupported
        }
    }

    private func getOption0<Option: ChannelOption>(_ option: Option) throws -> Option.Value {
        // HTTP/2 learns so that a stream was asked for too late.
        guard state != .closed else { throw ChannelError.ioOnClosedChannel }
        let value: Any? =
            switch option {
            case is ChannelOptions.Types.AutoReadOption: input.readsByItself
            case is ChannelOptions.Types.WriteBufferWaterMarkOption: output.marks
            case is ChannelOptions.Types.BufferedWritableBytesOption: output.pending.byteCount
            case is ChannelOptions.Types.AllowRemoteHalfClosureOption: options.allowsHalfClosure
            default: nil
            }
        guard let value = value as? Option.Value else { throw ChannelError.operationUnsupported }
        return value
    }

    // MARK: ChannelCore

    package func withUnsafeTransport<Result>(_ body: (CInt) throws -> Result) throws -> Result { try body(descriptor) }

    package func remoteAddress0() throws -> SocketAddress {
        guard let remoteAddress else { throw ChannelError.operationUnsupported }
        return remoteAddress
    }

    // A channel is registered, connected or accepted when it is made.
    package func register0(promise: EventLoopPromise<Void>?) { promise.fail(ChannelError.operationUnsupported) }
    package func registerAlreadyConfigured0(promise: EventLoopPromise<Void>?) { promise.fail(ChannelError.operationUnsupported) }
    package func bind0(to address: SocketAddress, promise: EventLoopPromise<Void>?) { promise.fail(ChannelError.operationUnsupported) }
    package func connect0(to address: SocketAddress, promise: EventLoopPromise<Void>?) { promise.fail(ChannelError.operationUnsupported) }
    package func triggerUserOutboundEvent0(_ event: Any, promise: EventLoopPromise<Void>?) {
        promise.fail(ChannelError.operationUnsupported)
    }
    /// Bytes that no handler wanted.
    package func channelRead0(_ data: NIOAny) {}
    /// An error that no handler wanted: the close that comes with it is enough.
    package func errorCaught0(error: any Error) {}
}

extension EventLoopPromise<Void>? {
    func fail(_ error: any Error) { self?.fail(error) }
}
