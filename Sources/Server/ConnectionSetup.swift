import Exchanges
import HTTPWire
import NIOCore

/// Gives an accepted connection the handlers of what it speaks.
struct ConnectionSetup {
    let channel: any Channel
    let peer: PeerAddress
    let handler: any RequestHandler
    let settings: ServerSettings
    let loop: ServerLoop

    /// Under TLS the handshake decides, in clear text the first bytes if they may; else it is HTTP/1.1 at once.
    func begin() throws {
        if let contexts = settings.tls {
            try TLSHandshake(setup: self, contexts: contexts).install()
        } else if settings.takesPriorKnowledge {
            try channel.pipeline.syncOperations.addHandler(PrefaceReader(setup: self))
        } else {
            try serveHTTP1(tls: nil)
        }
    }

    func serveHTTP1(tls: TLSIdentity?) throws {
        try channel.pipeline.syncOperations.addHandler(
            HTTP1Connection(channel: channel, peer: peer, handler: handler, settings: settings, loop: loop, tls: tls))
    }

    func serveHTTP2(tls: TLSIdentity?) throws {
        let connection = HTTP2Connection(
            channel: channel, peer: peer, tls: tls, handler: handler, settings: settings, loop: loop)
        try connection.install(in: channel.pipeline)
    }
}
