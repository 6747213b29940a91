import Config

/// A machine on which every variable is set to something long, except those whose name says otherwise, and a few files exist.
let exampleSurroundings = Surroundings(
    variable: { name in
        if name.hasPrefix("UNSET") { return nil }
        if name.hasPrefix("EMPTY") { return "" }
        if name.hasPrefix("SHORT") { return "c2hvcnQgc2Vzc2lvbiBrZXk=" }
        return "value-of-\(name)-0123456789"
    },
    file: { path in
        let key = Array("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=\n".utf8)
        switch path {
        case "./session.key", "session.key": return .contents(key, FileFacts(permissions: 0o600))
        case "./world-readable.key": return .contents(key, FileFacts(permissions: 0o644))
        case "./world-writable.key": return .contents(key, FileFacts(permissions: 0o666))
        case "/var/run/secrets/session.key": return .contents(key, FileFacts(permissions: 0o644, isKubernetesVolume: true))
        case "./short.key": return .contents(Array("c2hvcnQ=\n".utf8), FileFacts(permissions: 0o600))
        case "./binary": return .contents([0xFF, 0xFE, 0x00], FileFacts(permissions: 0o600))
        default:
            if let pem = ExampleCertificates.files[path] { return .contents(Array(pem.utf8), FileFacts(permissions: 0o600)) }
            return .unreadable(reason: "no such file")
        }
    },
    // 2026-01-01.
    now: { 1_767_225_600_000 })
