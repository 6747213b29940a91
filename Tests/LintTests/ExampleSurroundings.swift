import Config
import TokenCrypto

private let rsaKey = SigningKey.generate(.rs256).pem
private let ecKey = SigningKey.generate(.es256).pem

/// A machine on which every variable is set to something long, or to a private key, except those whose name says otherwise, and a
/// few files exist.
let exampleSurroundings: Surroundings = {
    var surroundings = readOnce
    surroundings.database = { path in
        switch path {
        case _ where path.hasPrefix("/missing/"): .noFolder
        case _ where path.hasPrefix("/read-only/"): .readOnlyFolder
        case "./world-readable.db": .usable(permissions: 0o644)
        case "./world-writable.db": .usable(permissions: 0o666)
        case "./read-only.db": .readOnlyFile
        case "./folder.db": .noFile
        default: .usable(permissions: path == "./existing.db" ? 0o600 : nil)
        }
    }
    surroundings.fileAgain = { path in
        guard case .contents(let bytes, _) = readOnce.file(path) else { return nil }
        return bytes
    }
    return surroundings
}()

private let accountKey = Array("mfYt0v3hK2bq9sXzE1cJr5uWn8oLdA7gTi6pQyHxV4M=\n".utf8)

private let readOnce = Surroundings(
    variable: { name in
        if name.hasPrefix("UNSET") { return nil }
        if name.hasPrefix("EMPTY") { return "" }
        if name.hasPrefix("SHORT") { return "c2hvcnQgc2Vzc2lvbiBrZXk=" }
        if name.hasSuffix("PRIVATE_KEY") || ["KEY", "ACME_KEY", "HOOLI_KEY"].contains(name) {
            return name.hasPrefix("LOGIN") ? rsaKey : ecKey
        }
        return "value-of-\(name)-0123456789"
    },
    file: { path in
        let key = Array("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=\n".utf8)
        switch path {
        case "./session.key", "session.key": return .contents(key, FileFacts(permissions: 0o600))
        case "./world-readable.key": return .contents(key, FileFacts(permissions: 0o644))
        case "./world-writable.key": return .contents(key, FileFacts(permissions: 0o666))
        case "/var/run/secrets/session.key": return .contents(key, FileFacts(permissions: 0o644, isKubernetesVolume: true))
        case "./accounts.key": return .contents(accountKey, FileFacts(permissions: 0o600))
        case "./hook.secret": return .contents(Array("8wVhJ2rTqL5nXc7e".utf8), FileFacts(permissions: 0o600))
        case "./short.secret": return .contents(Array("hunter2".utf8), FileFacts(permissions: 0o600))
        case "./smtp": return .contents(Array("hunter2".utf8), FileFacts(permissions: 0o600))
        case "./world-readable.smtp": return .contents(Array("hunter2".utf8), FileFacts(permissions: 0o644))
        case "./short.key": return .contents(Array("c2hvcnQ=\n".utf8), FileFacts(permissions: 0o600))
        case "./client.pem": return .contents(Array(rsaKey.utf8), FileFacts(permissions: 0o600))
        case "./AuthKey.p8": return .contents(Array(ecKey.utf8), FileFacts(permissions: 0o600))
        case "./locked.pem": return .contents(Array(lockedKey.utf8), FileFacts(permissions: 0o600))
        case "./binary": return .contents([0xFF, 0xFE, 0x00], FileFacts(permissions: 0o600))
        default:
            if let pem = ExampleCertificates.files[path] { return .contents(Array(pem.utf8), FileFacts(permissions: 0o600)) }
            return .unreadable(reason: "no such file")
        }
    },
    // 2026-01-01.
    now: { 1_767_225_600_000 })

extension Surroundings {
    /// The same machine with some variables set otherwise.
    func with(_ variables: [String: String]) -> Surroundings {
        var result = self
        result.variable = { [variable] in variables[$0] ?? variable($0) }
        return result
    }
}

/// Behind a passphrase; of no other use.
private let lockedKey = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAg1yQKMnIukYwICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEKWaN/ex83mMCIeGb32FTEgEgZBh
    bGlmiJ69hvk0mnpqE5Zyq4zJ4NyKEaluCRT1we3fQ8pDuNFztNGMMSiidr4s2fI5
    IqMqF9NZic8tMnTS+9go2PpVlFPVgguvPRG5IeY5ce2ySg6w4b88ti3tAq93pnnt
    x/rvD+UWvr8Oiv4bDEGtXSCgj5qOqVtdf8cpxKXvjmqlfhB9cUY/zXsxpQAsgzI=
    -----END ENCRYPTED PRIVATE KEY-----
    """
