import ArgumentParser
import Config
import Diagnostics
import Glibc
import Lint
import Logging
import Runtime

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Serve a configuration.",
        discussion: """
            The file is the argument, else $GATEWAY_CONFIG, else ./gateway.yaml, else /etc/gateway/gateway.yaml. A file in which \
            `gateway validate` finds an error is not served.

            SIGTERM and SIGINT finish the requests in flight and end with 0; a second one ends it at once. SIGHUP, or a change of the \
            file or of a file it refers to, reads it again: with an error in it nothing changes. Exit status 78: the configuration has errors; 69: an \
            address cannot be bound.
            """)

    @Argument(help: "The configuration file.")
    var config: String?

    func run() async throws {
        let manager = ServiceManager.inherited()
        let path = ConfigurationPath.resolve(config)
        let file = ConfigurationFile(path: path)
        let outcome = file.read()
        let reading: ConfigurationSource.Reading
        switch outcome.result {
        case .success(let read): reading = read
        case .failure(let refusal):
            if let report = outcome.report {
                Terminal.say(Self.text(report))
            } else {
                Terminal.say("gateway: " + refusal.report)
                Terminal.say("help: name a file (`gateway run FILE`), set GATEWAY_CONFIG, or write a first one with `gateway init`")
            }
            throw ExitStatus.badConfiguration
        }
        let writer = LogWriter(descriptor: STDERR_FILENO)
        let log = EventLog(reading.configuration.logging, writer: writer, isTerminal: Terminal.isTerminal(STDERR_FILENO))
        if let report = outcome.report { Self.warn(report, reading.warnings, log: log) }
        log.write(.notice, "configuration", "the configuration was read", [("file", .text(path)), ("hash", .text(reading.hash))])
        // Standard input is read once.
        try await Self.serve(reading, source: path == "-" ? nil : file.source, log: log, writer: writer, manager: manager)
    }

    /// The linter's report for a person; for a program one event each, so that every line of the log stays JSON.
    private static func warn(_ report: Report, _ warnings: [ConfigurationSource.Finding], log: EventLog) {
        guard report.warningCount > 0 else { return }
        guard log.isForPrograms else { return Terminal.say(text(report)) }
        for warning in warnings { log.write(.warning, "configuration-warning", warning.message, warning.fields) }
    }

    private static func text(_ report: Report) -> String {
        TextRenderer(color: ColorChoice.auto.isOn(for: STDERR_FILENO), columns: Terminal.columns).render(report)
    }

    private static func serve(
        _ reading: ConfigurationSource.Reading, source: ConfigurationSource?, log: EventLog, writer: LogWriter, manager: ServiceManager
    ) async throws {
        let process: GatewayProcess
        do throws(GatewayProcess.StartFailure) {
            process = try await GatewayProcess.start(
                reading.configuration, log: log, writer: writer, version: ProgramVersion(Version.current), source: source, reading: reading,
                manager: manager)
        } catch {
            log.flush()
            switch error {
            case .cannotBind(let address, let reason):
                Terminal.say("gateway: cannot listen on \(address): \(reason)")
                throw ExitStatus.cannotBind
            case .configuration(let reason):
                Terminal.say("gateway: the configuration cannot be served: \(reason)")
                throw ExitStatus.badConfiguration
            }
        }
        await process.serve()
    }
}
