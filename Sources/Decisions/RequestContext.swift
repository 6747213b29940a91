package import Primitives
package import Access
package import HTTPWire
package import NIOCore

/// The facts about a client connection that decisions need.
package final class ConnectionFacts: Sendable {
    package let peer: ClientResolution.Peer
    /// The peer's address as text, or another word for a Unix socket.
    package let peerText: [UInt8]
    /// The value of `X-Forwarded-For` for a peer that is not trusted.
    package let forwardedFor: [UInt8]
    /// The request came in over TLS.
    package let isSecure: Bool
    /// The server name and certificate of the TLS handshake; nil without TLS, or where they are not known.
    package let tls: TLSIdentity?
    /// The peers whose forwarding fields are believed.
    package let trusted: CIDRSet

    /// `peer`: its address without a port. `isLocalSocket`: it came over a Unix socket, and `peer` only names it.
    package init(peer text: String, isLocalSocket: Bool, isSecure: Bool, tls: TLSIdentity? = nil, trusted: CIDRSet) {
        if let address = NetworkAddress(text) {
            peer = ClientResolution.Peer(address, in: trusted)
        } else {
            // File permissions decide who can reach a Unix socket; its forwarding fields are still untrusted.
            peer = .local(isTrusted: false)
        }
        peerText = Array(text.utf8)
        forwardedFor = isLocalSocket ? Array("unknown".utf8) : peerText
        self.isSecure = isSecure
        self.tls = tls
        self.trusted = trusted
    }
}

/// The data about a request besides its head: its connection, ids and trace.
///
/// The requests of a connection share one object, one after the other. A struct would be copied at each step, with a reference count for
/// each part.
package final class RequestContext {
    package let connection: ConnectionFacts
    package var requestID = RequestID()
    package var trace = TraceState()
    /// The span id in the `traceparent` of the upstream's request; not 0.
    package var upstreamSpan: UInt64 = 1
    /// The CORS lines of the request's route; nil on a route without.
    package var crossOriginLines: ByteBuffer?
    /// Every cookie of the request is one of ours. False until they have been looked at.
    package var bringsOurCookiesOnly = false

    /// The matched route; nil before `begin` and if no route matches.
    package internal(set) var match: RouteMatch?
    /// The index of the matched route; -1 without one.
    package internal(set) var routeIndex = -1
    /// The verdict of the route's rule; nil before it was evaluated.
    package internal(set) var verdict: RuleVerdict?
    /// Another proxy asks about the request and forwards it.
    package var isQuestion = false
    /// Audit records cannot be written.
    package var isAuditClosed = false

    package init(_ connection: ConnectionFacts) { self.connection = connection }

    /// Resets the data for the next request of the connection.
    @inline(__always)
    package func begin(_ id: RequestID) {
        requestID = id
        trace = TraceState()
        bringsOurCookiesOnly = false
        if crossOriginLines != nil { crossOriginLines = nil }
        match = nil
        routeIndex = -1
        verdict = nil
    }

    /// The request's own id, 32 lower-case hexadecimal digits, whatever was given. Does not copy what was given.
    package func writeOwnID(into lines: inout LineBytes) {
        lines.put(hexadecimal: requestID.high)
        lines.put(hexadecimal: requestID.low)
    }

    /// The client's address: the peer's, or what a trusted peer says of it.
    package func client(_ head: RequestHead) -> [UInt8] {
        connection.peer.isTrusted ? Array(ForwardingLines.client(head, connection).utf8) : connection.peerText
    }

    /// The id that a trusted proxy gave the request.
    package func givenID(_ head: RequestHead) -> [UInt8]? {
        guard connection.peer.isTrusted, head.has(.xRequestID) else { return nil }
        guard let id = head.value(.xRequestID, in: head.bytes.byteSpan), ForwardingLines.isPlainID(id) else { return nil }
        return Array(id)
    }
}
