import Access
import Decisions
import Exchanges
import Server
import TokenCrypto

extension Endpoints {
    /// `GET /jwks.json`: the public keys of the assertion; an empty set when none is sent.
    func assertionKeys(_ exchange: Exchange) {
        let keys = snapshot.site.assertion?.publicKeys ?? .object(["keys": .array([])])
        Answer.json(status: 200, Array((keys.serialized() + "\n").utf8), hsts: snapshot.hsts).send(on: exchange)
    }
}
