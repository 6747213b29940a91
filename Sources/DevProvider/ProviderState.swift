import Primitives
import TokenCrypto

/// Everything the provider knows. One request at a time.
struct ProviderState: Sendable {
    var options: DevProviderOptions
    /// `scheme://host[:port]`.
    let origin: String
    /// The issuer's path without a slash at the end; empty for an issuer at the root.
    let basePath: String

    var faults: Set<Fault> = []
    var slowness: Int64 = 2_000
    var automaticPerson: String?
    var counters: [Endpoint: Int] = [:]

    var keyChain: KeyChain
    var memory = ProviderMemory()
    /// Whom Apple has told the client about.
    var knownToApple: Set<String> = []

    /// What the last control request asked for.
    var controlAnswer = JSONValue.null
    /// Unix milliseconds of it.
    var controlTime: Int64 = 0

    init(_ options: DevProviderOptions) {
        self.options = options
        let schemeEnd = options.issuer.range(ofFirst: "://") ?? options.issuer.startIndex
        let authorityAndPath = options.issuer[schemeEnd...]
        let pathStart = authorityAndPath.firstIndex(of: "/") ?? options.issuer.endIndex
        origin = String(options.issuer[..<pathStart])
        var path = options.issuer[pathStart...]
        while path.hasSuffix("/") { path.removeLast() }
        basePath = String(path)
        keyChain = KeyChain(algorithm: options.algorithm, first: options.signingKey)
    }

    /// Where the endpoints lie: the issuer without a slash at the end.
    var base: String { origin + basePath }

    var pages: DevPages { DevPages(name: options.name, currentCode: options.appearance.currentCode) }
    func person(_ id: String) -> Person? { options.people.first { $0.id == id } }
    func client(_ id: String) -> DevClient? { options.clients.first { $0.id.utf8.elementsEqual(id.utf8) } }
    func has(_ fault: Fault) -> Bool { faults.contains(fault) }

    /// 32 random bytes as base64url.
    func newToken(_ prefix: String = "") -> String { prefix + Base64URL.encode(options.random(32)) }
}

extension String {
    /// The index after the first occurrence of `needle`.
    func range(ofFirst needle: String) -> String.Index? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(needle) { return self.index(index, offsetBy: needle.count) }
            index = self.index(after: index)
        }
        return nil
    }
}
