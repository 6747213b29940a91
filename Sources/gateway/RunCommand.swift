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

            SIGTERM and SIGINT finish the requests in flight and end with 0. Exit status 78: the configuration has errors; 69: an \
            address cannot be bound.
            """)

    @Argument(help: "The configuration file.")
    var config: String?

    func run() async throws {
        let path = ConfigurationPath.resolve(config)
        let source: SourceFile
        switch ConfigurationPath.read(path) {
        case .success(let file): source = file
        case .failure(let failure):
            Terminal.say("gateway: cannot read the configuration \(failure.path): \(failure.reason)")
            Terminal.say("help: name a file (`gateway run FILE`), set GATEWAY_CONFIG, or write a first one with `gateway init`")
            throw ExitStatus.badConfiguration
        }
        let loaded: ConfigLoader.Loaded
        switch ConfigLoader.load(source, surroundings: .system(forFile: path)) {
        case .success(let result): loaded = result
        case .failure(let refusal):
            Terminal.say(Self.text(refusal.report))
            throw ExitStatus.badConfiguration
        }
        let log = EventLog(loaded.configuration.logging)
        Self.warn(loaded.report, log: log)
        log.write(.notice, "configuration", "the configuration was read", [("file", .text(path))])
        try await Self.serve(loaded.configuration, log: log)
    }

    /// The linter's report for a person; for a program one event each, so that every line of the log stays JSON.
    private static func warn(_ report: Report, log: EventLog) {
        guard report.warningCount > 0 else { return }
        guard log.isForPrograms else { return Terminal.say(text(report)) }
        for file in report.files {
            for diagnostic in file.diagnostics {
                let start = file.source.range(of: diagnostic.span).start
                log.write(
                    .warning, "configuration-warning", diagnostic.message,
                    [
                        ("rule", .text(diagnostic.rule.rawValue)), ("file", .text(file.source.name)), ("line", .number(start.line)),
                        ("column", .number(start.column)),
                    ])
            }
        }
    }

    private static func text(_ report: Report) -> String {
        TextRenderer(color: ColorChoice.auto.isOn(for: STDERR_FILENO), columns: Terminal.columns).render(report)
    }

    private static func serve(_ configuration: Configuration, log: EventLog) async throws {
        let process: GatewayProcess
        do throws(GatewayProcess.StartFailure) {
            process = try await GatewayProcess.start(configuration, log: log)
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

extension EventLog {
    /// The log on stderr that a configuration asks for.
    init(_ configuration: LoggingConfiguration) {
        let format: Format =
            switch configuration.format {
            case .json: .json
            case .text: .text
            case .auto: Terminal.isTerminal(STDERR_FILENO) ? .text : .json
            }
        self.init(
            level: Logger.Level(rawValue: configuration.level.rawValue) ?? .info, format: format,
            writer: LogWriter(descriptor: STDERR_FILENO))
    }
}
