/// What `gateway demo` puts together: the gateway's configuration and the local providers that fit it.
package struct DemoConfiguration: Sendable {
    /// The app behind the gateway.
    package enum App: Sendable {
        /// The example app, on this port.
        case example(port: Int)
        /// The user's own app, as `--upstream` names it.
        case own(upstream: String)
    }

    package struct Ports: Sendable {
        package var gateway: Int
        package var acme: Int
        package var partner: Int
        /// 0 lets the system choose.
        package var admin: Int
        /// Of the local mail server; nil: the demo sends no mail, so users cannot register with a password.
        package var mail: Int?

        package init(gateway: Int, acme: Int, partner: Int, admin: Int, mail: Int?) {
            self.gateway = gateway
            self.acme = acme
            self.partner = partner
            self.admin = admin
            self.mail = mail
        }
    }

    package var ports: Ports
    package var app: App
    /// The folder of the files below, absolute or relative to the configuration file.
    package var folder: String
    /// Shared by the gateway and both providers; made afresh at every start.
    package var clientSecret: String
    /// The code that a user's authenticator app shows now, for the providers' pages; nil for users without an app.
    package var currentCode: @Sendable (Person) -> String? = { _ in nil }

    package static let acmeProvider = "oidc.acme"
    package static let partnerProvider = "oidc.partner"
    package static let sessionKeyFile = "session.key"
    package static let accountKeyFile = "accounts.key"
    package static let storeFile = "accounts.db"
    static let client = "gateway-demo"
    static let people = Person.demo + [Person.grace]

    package init(ports: Ports, app: App, folder: String, clientSecret: String) {
        self.ports = ports
        self.app = app
        self.folder = folder
        self.clientSecret = clientSecret
    }

    package var publicURL: String { "http://127.0.0.1:\(ports.gateway)" }
    package var acmeIssuer: String { "http://127.0.0.1:\(ports.acme)" }
    package var partnerIssuer: String { "http://127.0.0.1:\(ports.partner)" }

    /// The configuration of the gateway, as a file would have it.
    package var yaml: String {
        """
        # The configuration of `gateway demo`. The providers run on this machine, and their users are invented.
        version: 1

        server:
          listen: 127.0.0.1:\(ports.gateway)
          publicURL: \(publicURL)

        admin:
          listen: 127.0.0.1:\(ports.admin)

        upstream: \(quoted(upstream))

        accounts:
          store: \(quoted("sqlite:" + path(Self.storeFile)))
          keys: [\(quoted("${file:\(path(Self.accountKeyFile))}"))]

        # No passkeys: browsers have them for names only, and this site is an address.
        secondFactor:
          factors: [totp, recovery]

        providers:
          - id: \(Self.acmeProvider)
            displayName: Acme
            issuer: \(acmeIssuer)
            clientID: \(Self.client)
            # gateway-ignore: literal-secret made up for this run of the demo
            clientSecret: \(quoted(clientSecret))
          - id: \(Self.partnerProvider)
            displayName: Partner
            issuer: \(partnerIssuer)
            clientID: \(Self.client)
            # gateway-ignore: literal-secret made up for this run of the demo
            clientSecret: \(quoted(clientSecret))
        \(ownProviders)
        session:
          keys: [\(quoted("${file:\(path(Self.sessionKeyFile))}"))]

        routes:
          # Apps are under one name only, because cookies belong to it.
          - host: localhost
            access: public
            redirect: { to: "\(publicURL)/**" }
        \(appRoutes)
        """
    }

    /// The providers that need no identity provider, and the mail server that passwords need.
    private var ownProviders: String {
        func provider(_ id: String) -> String {
            "  # gateway-ignore: no-access-rule the demo admits everyone, on this machine only\n  - id: \(id)\n"
        }
        guard let mail = ports.mail else { return provider("anonymous") }
        return """
            \(provider("password"))\(provider("anonymous"))
            mail:
              url: smtp://127.0.0.1:\(mail)
              from: Demo <no-reply@example.com>

            """
    }

    private func path(_ file: String) -> String { "\(folder)/\(file)" }

    private var upstream: String {
        switch app {
        case .example(let port): "http://127.0.0.1:\(port)"
        case .own(let upstream): upstream
        }
    }

    /// Paths that no route matches require a sign-in.
    private var appRoutes: String {
        switch app {
        case .example:
            """
              - path: /health
                access: public
              - path: /admin/**
                access: { groups: [admins] }
              - path: /vault/**
                access: { secondFactor: true }

            """
        case .own:
            """
              - path: /**

            """
        }
    }

    /// The local providers that know this gateway.
    package var acme: DevProviderOptions { provider("Acme", acmeIssuer, Self.acmeProvider, Self.people) }
    package var partner: DevProviderOptions { provider("Partner", partnerIssuer, Self.partnerProvider, Self.people.map(\.elsewhere)) }

    private func provider(_ name: String, _ issuer: String, _ id: String, _ people: [Person]) -> DevProviderOptions {
        let client = DevClient(
            id: Self.client, secret: clientSecret, redirectURIs: ["\(publicURL)/_gateway/callback/\(id)"],
            postLogoutRedirectURIs: ["\(publicURL)/_gateway/logged-out"])
        var options = DevProviderOptions(issuer: issuer, clients: [client])
        options.name = name
        options.people = people
        options.appearance.currentCode = currentCode
        return options
    }

    /// A double-quoted YAML scalar (YAML 1.2 section 7.3.1). Control characters, which no value here may hold, become spaces.
    private func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case _ where scalar.value < 0x20: " "
            default: String(scalar)
            }
        }
        return "\"" + scalars.joined() + "\""
    }
}
