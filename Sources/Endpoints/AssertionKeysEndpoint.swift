import Access
import Decisions
import TokenCrypto

extension Endpoints {
    /// `GET /jwks.json`: the public keys of the assertion; an empty set when none is sent.
    func assertionKeys(_ request: EndpointRequest) {
        let keys = site.decisions.assertion?.publicKeys ?? .object(["keys": .array([])])
        request.send(.json(status: 200, Array((keys.serialized() + "\n").utf8), hsts: site.hsts))
    }
}
