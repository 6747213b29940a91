import ArgumentParser
import Config
import Diagnostics
import Glibc
import Lint
import Logging
import Process
import Runtime
import Telemetry

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Start the gateway.",
        discussion: """
            The configuration file is the argument, else $GATEWAY_CONFIG, else ./gateway.yaml, else /etc/gateway/gateway.yaml. \
            The gateway does not start with a file in which `gateway validate` finds an error.

            SIGTERM and SIGINT finish the requests in flight, then exit with 0; a second signal exits at once. SIGHUP, or a \
            change of the file or of a file it refers to, reloads the configuration; if it has an error, the gateway keeps the \
            old one.

            Exit status 78: the configuration has errors. 69: an address cannot be bound.
            """)

    @Argument(help: "The configuration file; - reads standard input.")
    var config: String?

    func run() async throws {
        let manager = ServiceManager.inherited()
        let location = ConfigurationPath(argument: config)
        let file = ConfigurationFile(location: location)
        let outcome = file.read()
        let reading: ConfigurationSource.Reading
        switch outcome.result {
        case .success(let read): reading = read
        case .failure(let refusal):
            if let report = outcome.report {
                Terminal.say(report)
            } else {
                Terminal.say("gateway: \(outcome.unreadable?.message ?? refusal.report)")
            }
            throw ExitStatus.badConfiguration
        }
        let writer = LogWriter(descriptor: STDERR_FILENO)
        let log = EventLog(reading.configuration.logging, writer: writer, isTerminal: Terminal.isTerminal(STDERR_FILENO))
        if let report = outcome.report { Self.warn(report, reading.warnings, log: log) }
        log.write(.notice, "configuration", "the configuration was read", [("file", .text(location.path)), ("hash", .text(reading.hash))])
        // Standard input is read once.
        try await Self.serve(reading, source: location.isStandardInput ? nil : file.source, log: log, writer: writer, manager: manager)
    }

    /// Prints the linter's report on a terminal. A log for programs gets one event for each warning, so that every line stays JSON.
    private static func warn(_ report: Report, _ warnings: [ConfigurationSource.Finding], log: EventLog) {
        guard report.warningCount > 0 else { return }
        guard log.isForPrograms else { return Terminal.say(report) }
        for warning in warnings { log.write(.warning, "configuration-warning", warning.message, warning.fields) }
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
            case .cannotBind(let problem):
                Terminal.say("gateway: \(problem)")
                throw ExitStatus.cannotBind
            case .configuration(let reason):
                Terminal.say("gateway: the configuration cannot be served: \(reason)")
                throw ExitStatus.badConfiguration
            }
        }
        await process.serve()
    }
}
