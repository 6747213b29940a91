import ArgumentParser
import Primitives
import TokenCrypto

struct KeygenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "keygen", abstract: "Print a new key.")

    enum Kind: String, ExpressibleByArgument, CaseIterable { case session, assertion }

    @Argument(
        help: "session: 32 random bytes in base64, for session.keys. assertion: an ES256 private key in PEM, for identity.assertion.keys.")
    var kind: Kind

    func run() {
        switch kind {
        case .session: print(Base64.encode(SecureRandom.bytes(32)))
        case .assertion:
            let pem = SigningKey.generate(.es256).pem
            print(pem, terminator: pem.hasSuffix("\n") ? "" : "\n")
        }
    }
}
