/// The time limit that runs on a connection or a stream to an upstream: the meaning of its deadline.
enum UpstreamLimit {
    case none
    /// The channel is being opened.
    case connect
    case response
    /// Between two parts of a body.
    case body
    /// No request is on the connection.
    case keepAlive

    /// `request`: the one that is served, which may have limits of its own.
    @inline(__always)
    func milliseconds(_ request: ForwardedRequest?, _ settings: UpstreamSettings) -> Int64 {
        switch self {
        case .none: 0
        // The connect has its own limit; this one is for a connect that never says anything.
        case .connect: settings.connectTimeout + 1_000
        case .response: Self.limit(request?.responseTimeout, settings.responseTimeout)
        case .body: Self.limit(request?.idleTimeout, settings.idleTimeout)
        case .keepAlive: settings.keepAlive
        }
    }

    @inline(__always)
    private static func limit(_ own: Int64?, _ standard: Int64) -> Int64 {
        guard let own, own > 0 else { return standard }
        return own
    }
}
