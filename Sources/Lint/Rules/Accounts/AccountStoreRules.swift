import Config
import Diagnostics

extension RuleName {
    static let localAccountStore = RuleName("local-account-store")
    static let accountStorePath = RuleName("account-store-path", .warning)
    static let insecureDatabase = RuleName("insecure-database", .warning)
    static let sharedAccountKey = RuleName("shared-account-key", .warning)
}

extension Rule {
    static let localAccountStore = Rule(
        .localAccountStore, what: "Several replicas run (`$GATEWAY_REPLICAS`), and `accounts.store` is an SQLite file.",
        why:
            "Each replica would have its own accounts. A user who links a provider on one replica is a different user on the next. SQLite cannot share its file safely over a network volume.",
        instead: "Use PostgreSQL, or run one replica.",
        bad: Example(
            """
            accounts:
              store: «sqlite:./accounts.db»
              keys: ["${file:./accounts.key}"]
            session:
              keys: ["${file:./session.key}"]
              # gateway-ignore: process-local-sessions sessions may stay valid after sign-out
              store: cookie
            """, variables: ["GATEWAY_REPLICAS": "3"]),
        good: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
            """, variables: ["GATEWAY_REPLICAS": "1"]),
        check: { context in
            guard let replicas = context.surroundings.variable(replicasVariable).flatMap({ Int($0) }), replicas > 1,
                let item = context.accounts?["store"], case .sqlite = context.configuration.accounts?.store
            else { return [] }
            return [
                Diagnostic(
                    .localAccountStore, at: item.referenceSpan, "\(replicas) replicas cannot share an SQLite file",
                    label: "one file per replica", help: "write the URL of a PostgreSQL database, or run one replica")
            ]
        })

    static let accountStorePath = Rule(
        .accountStorePath, what: "The folder of the account database is missing or not writable, or every user can read the file.",
        why:
            "The gateway does not start without its database. The file contains the names and e-mail addresses of all users. The check runs as the user who runs `gateway validate`.",
        instead: "Create the folder and make the gateway's user its owner. Run `chmod 600` on the file.",
        bad: Example(
            """
            accounts:
              store: «sqlite:/missing/accounts.db»
              keys: ["${file:./accounts.key}"]
            """),
        good: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
            """),
        check: { context in
            guard let item = context.accounts?["store"], case .sqlite = context.configuration.accounts?.store, let text = item.text,
                let facts = context.surroundings.database(String(text.dropFirst("sqlite:".count)))
            else { return [] }
            return accountStorePath(facts).map { message, label, help in
                Diagnostic(.accountStorePath, at: item.referenceSpan, message, label: label, help: help)
            }
        })

    private static func accountStorePath(_ facts: DatabaseFileFacts) -> [(message: String, label: String, help: String)] {
        switch facts {
        case .noFolder:
            [("the folder of the account database does not exist", "no such folder", "create it, and make the gateway's user its owner")]
        case .noFile: [("the account database is not a file", "not a file", "write the path of a file, such as `sqlite:./accounts.db`")]
        case .readOnlyFolder:
            [("this user cannot create files in the folder of the account database", "not writable", "make the gateway's user its owner")]
        case .readOnlyFile: [("this user cannot write the account database", "not writable", "make the gateway's user its owner")]
        case .usable(let permissions):
            if let permissions, permissions & 0o006 != 0 {
                [
                    (
                        "every user of this machine can \(permissions & 0o002 != 0 ? "write" : "read") the account database",
                        "mode \(String(permissions & 0o777, radix: 8))", "run `chmod 600` on the file"
                    )
                ]
            } else {
                []
            }
        }
    }

    static let insecureDatabase = Rule(
        .insecureDatabase, what: "The connection to a PostgreSQL server on another machine is not protected by `sslmode=verify-full`.",
        why:
            "Without TLS, anyone on the network can read the password and the accounts. With TLS but without a verified name, another server can pose as the database. libpq's default is `prefer`, which falls back to no TLS.",
        instead: "Add `?sslmode=verify-full`, and `sslrootcert` for a private certificate authority.",
        bad: Example(
            """
            accounts:
              store: «"postgres://gateway:${env:DATABASE_PASSWORD}@db.example.com/accounts?sslmode=require"»
              keys: ["${file:./accounts.key}"]
            """),
        good: Example(
            """
            accounts:
              store: "postgres://gateway:${env:DATABASE_PASSWORD}@db.example.com/accounts?sslmode=verify-full"
              keys: ["${file:./accounts.key}"]
            """),
        check: { context in
            guard let (item, url) = context.database, url.isUnverified else { return [] }
            let (message, label) =
                switch url.sslmode {
                case .disable: ("the connection to the database is not encrypted", "no TLS")
                case nil, .allow, .prefer: ("the connection to the database is encrypted only if the server offers it", "TLS is optional")
                case .require, .verifyCA, .verifyFull: ("the name of the database server is not verified", "any server passes")
                }
            return [
                Diagnostic(
                    .insecureDatabase, at: item.referenceSpan, message, label: label,
                    help: "add `sslmode=verify-full`; if the network is private, silence this warning with that reason")
            ]
        })

    static let sharedAccountKey = Rule(
        .sharedAccountKey, what: "`accounts.keys` and `session.keys` have a key in common.",
        why:
            "An attacker who learns the key can then forge sessions and also read the second factors in the account store. The two also need rotation at different times.",
        instead: "Run `gateway keygen session > accounts.key` for a key of its own.",
        bad: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["«${file:./session.key}»"]
            """),
        good: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
            """),
        check: { context in
            var places: [[UInt8]: SourceSpan] = [:]
            for item in context.session?["keys"]?.list ?? [] { if case .key(let key) = item.scalar { places[key] = item.referenceSpan } }
            return (context.accounts?["keys"]?.list ?? []).compactMap { item in
                guard case .key(let key) = item.scalar, let place = places[key] else { return nil }
                return Diagnostic(
                    .sharedAccountKey, at: item.referenceSpan, "this key is also a session key", label: "one key for two purposes",
                    help: "run `gateway keygen session > accounts.key` and write \"${file:./accounts.key}\"",
                    related: [RelatedPlace("the session key", at: place)])
            }
        })
}
