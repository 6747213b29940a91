package import Config
package import DevProvider
import Glibc
import Logging
import Primitives
import Process
import Runtime
import Telemetry
import TokenCrypto

/// The servers of `gateway demo`: two local providers, a mail server and the gateway, in front of an example app or of the user's own app. They listen on
/// loopback.
package struct Demo: Sendable {
    package struct StartFailure: Error, Sendable {
        package enum Cause: Sendable {
            /// An address cannot be bound.
            case address
            /// The gateway refuses the configuration; the demo's own is valid, so the user's upstream is not.
            case configuration
            /// No folder can be made for the demo's files.
            case folder
        }

        package var cause: Cause
        package var message: String
        package var help: String?

        package init(_ cause: Cause, message: String, help: String?) {
            self.cause = cause
            self.message = message
            self.help = help
        }
    }

    /// The address to open in a browser.
    package let address: String
    package let users: [Person]
    /// Where the gateway forwards to.
    package let upstream: UpstreamConfiguration?
    /// Whether users can register with an address and a password: not where the library that sends mail is missing.
    package let hasPasswords: Bool
    private let programs: Programs
    private let gateway: GatewayProcess

    /// `upstream`: the user's own app; nil: the example app. `load`: turns the demo's configuration text into a configuration, given the
    /// contents of its key files by their paths. `receive`: takes the mails that the gateway sends.
    package static func start(
        gatewayPort: Int, upstream: String? = nil, verbose: Bool = false, receive: @escaping @Sendable (CaughtMail) -> Void,
        load: (DemoConfiguration, [String: String]) throws(StartFailure) -> Configuration
    ) async throws(StartFailure) -> Demo {
        let folder: DemoFolder
        do throws(DemoFolder.Failure) {
            folder = try DemoFolder()
        } catch {
            throw StartFailure(.folder, message: error.reason, help: "set TMPDIR to a folder that you can write to")
        }
        let demo: DemoConfiguration
        let programs: Programs
        do {
            (demo, programs) = try await Programs.start(gatewayPort: gatewayPort, upstream: upstream, folder, receive)
        } catch {
            folder.remove()
            throw StartFailure(.address, message: "cannot listen on a free port of 127.0.0.1: \(error)", help: nil)
        }
        do throws(StartFailure) {
            return try await start(demo, programs, verbose: verbose, load: load)
        } catch {
            await programs.stop()
            throw error
        }
    }

    private static func start(
        _ demo: DemoConfiguration, _ programs: Programs, verbose: Bool,
        load: (DemoConfiguration, [String: String]) throws(StartFailure) -> Configuration
    ) async throws(StartFailure) -> Demo {
        let keys = Dictionary(
            uniqueKeysWithValues: [DemoConfiguration.sessionKeyFile, DemoConfiguration.accountKeyFile].map {
                ("\(demo.folder)/\($0)", Base64.encode(SecureRandom.bytes(32)))
            })
        var configuration = try load(demo, keys)
        await programs.secondFactor.enrol(demo, configuration)
        // Standard output shows the address to open.
        configuration.logging.access.isEnabled = false
        let writer = LogWriter(descriptor: STDERR_FILENO)
        let log = EventLog(level: verbose ? .info : .warning, format: .text, writer: writer)
        do throws(GatewayProcess.StartFailure) {
            let gateway = try await GatewayProcess.start(configuration, log: log, writer: writer, version: ProgramVersion("demo"))
            return Demo(
                address: demo.publicURL + "/", users: demo.acme.people, upstream: configuration.upstream,
                hasPasswords: demo.ports.mail != nil, programs: programs, gateway: gateway)
        } catch {
            switch error {
            case .cannotBind(let problem):
                throw StartFailure(.address, message: problem.summary, help: "choose another port with `gateway demo --port 8080`")
            case .configuration(let reason) where demo.ports.mail != nil && reason.hasPrefix("mail: "):
                var demo = demo
                demo.ports.mail = nil
                return try await start(demo, programs, verbose: verbose, load: load)
            case .configuration(let reason): throw StartFailure(.configuration, message: reason, help: nil)
            }
        }
    }

    /// Until SIGTERM or SIGINT.
    package func serve() async {
        await gateway.serve()
        await programs.stop()
    }
}

/// What the demo runs beside the gateway.
private struct Programs: Sendable {
    let folder: DemoFolder
    let providers: [ProgramServer]
    /// nil: the user's own app runs elsewhere.
    let exampleApp: ProgramServer?
    let mail: MailCatcher
    let secondFactor: DemoSecondFactor

    static func start(
        gatewayPort: Int, upstream: String?, _ folder: DemoFolder, _ receive: @escaping @Sendable (CaughtMail) -> Void
    ) async throws -> (DemoConfiguration, Programs) {
        let mail = try await MailCatcher(receive: receive)
        let app = ExampleApp()
        let exampleApp = upstream == nil ? try await ProgramServer(port: 0) { app.respond(to: $0) } : nil
        let secondFactor = DemoSecondFactor()
        var demo = DemoConfiguration(
            ports: .init(
                gateway: gatewayPort, acme: DemoServers.freePort(), partner: DemoServers.freePort(), admin: DemoServers.freePort(),
                mail: mail.port),
            app: upstream.map { .own(upstream: $0) } ?? .example(port: exampleApp?.port ?? 0), folder: folder.path,
            clientSecret: Base64URL.encode(SecureRandom.bytes(24)))
        demo.currentCode = { secondFactor.currentCode(of: $0) }
        let providers = try await [server(demo.acme, port: demo.ports.acme), server(demo.partner, port: demo.ports.partner)]
        return (demo, Programs(folder: folder, providers: providers, exampleApp: exampleApp, mail: mail, secondFactor: secondFactor))
    }

    private static func server(_ options: DevProviderOptions, port: Int) async throws -> ProgramServer {
        let provider = DevProvider(options)
        return try await ProgramServer(port: port) { provider.respond(to: $0, now: wallClock()) }
    }

    func stop() async {
        for provider in providers { await provider.stop() }
        await exampleApp?.stop()
        await mail.stop()
        folder.remove()
    }
}
