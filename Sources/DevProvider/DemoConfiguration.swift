/// What `gateway demo` puts together: the gateway's configuration and the local provider that fits it.
package struct DemoConfiguration: Sendable {
    /// The app behind the gateway.
    package enum App: Sendable {
        /// The example app, on this port.
        case example(port: Int)
        /// The user's own app, as `--upstream` names it.
        case own(upstream: String)
    }

    package var gatewayPort: Int
    package var providerPort: Int
    package var app: App
    /// 0 lets the system choose.
    package var adminPort: Int
    /// A path to the session key, absolute or relative to the configuration file.
    package var keyFile: String
    /// Shared by both sides; made afresh at every start.
    package var clientSecret: String

    package static let openIDProvider = "oidc.demo"
    package static let gitHubProvider = "github.com"
    static let openIDClient = "gateway-demo"
    static let gitHubClient = "gateway-demo-github"

    package init(gatewayPort: Int, providerPort: Int, app: App, adminPort: Int, keyFile: String, clientSecret: String) {
        self.gatewayPort = gatewayPort
        self.providerPort = providerPort
        self.app = app
        self.adminPort = adminPort
        self.keyFile = keyFile
        self.clientSecret = clientSecret
    }

    package var publicURL: String { "http://127.0.0.1:\(gatewayPort)" }
    package var issuer: String { "http://127.0.0.1:\(providerPort)" }

    /// The configuration of the gateway, as a file would have it.
    package var yaml: String {
        """
        # The configuration of `gateway demo`. The provider runs on this machine, and its users are invented.
        version: 1

        server:
          listen: 127.0.0.1:\(gatewayPort)
          publicURL: \(publicURL)

        admin:
          listen: 127.0.0.1:\(adminPort)

        upstream: \(quoted(upstream))

        providers:
          - id: \(Self.openIDProvider)
            displayName: Demo directory
            issuer: \(issuer)
            clientID: \(Self.openIDClient)
            # gateway-ignore: literal-secret made up for this run of the demo
            clientSecret: \(quoted(clientSecret))
          # gateway-ignore: no-access-rule this is the demo's own imitation, with invented users
          - id: \(Self.gitHubProvider)
            baseURL: \(issuer)
            clientID: \(Self.gitHubClient)
            # gateway-ignore: literal-secret made up for this run of the demo
            clientSecret: \(quoted(clientSecret))

        session:
          keys: [\(quoted("${file:\(keyFile)}"))]

        routes:
          # Apps are under one name only, because cookies belong to it.
          - host: localhost
            access: public
            redirect: { to: "\(publicURL)/**" }
        \(appRoutes)
        """
    }

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

            """
        case .own:
            """
              - path: /**

            """
        }
    }

    /// The local provider that knows this gateway.
    package var provider: DevProviderOptions {
        let callbacks = publicURL + "/_gateway/callback/"
        return DevProviderOptions(
            issuer: issuer,
            clients: [
                DevClient(
                    id: Self.openIDClient, secret: clientSecret, redirectURIs: [callbacks + Self.openIDProvider],
                    postLogoutRedirectURIs: [publicURL + "/_gateway/logged-out"]),
                DevClient(id: Self.gitHubClient, secret: clientSecret, redirectURIs: [callbacks + Self.gitHubProvider]),
            ])
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
