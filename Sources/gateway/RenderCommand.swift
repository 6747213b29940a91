import Primitives
import ArgumentParser
import Config
import Diagnostics
import Glibc
import Lint
import Synchronization

struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Write manifests for a deployment.", subcommands: [RenderSidecarCommand.self])
}

/// `gateway render sidecar`: for Kubernetes without Helm.
struct RenderSidecarCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sidecar", abstract: "Write manifests that run the gateway in an app's pod, for Kubernetes without Helm.",
        usage: "gateway render sidecar [<options>] [<config>]",
        discussion: """
            --format patch prints a patch of the app's Deployment for `kubectl patch --patch-file`. --format kustomize writes a \
            component into a folder, with a patch of the Service and the configuration.

            The next steps are printed on standard error. The secrets that the configuration refers to need not be on this machine.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case patch, kustomize }

    @Argument(help: "The configuration file; - reads standard input. Default: the file that `gateway run` reads.")
    var config: String?

    @Option(help: "What to write.")
    var format = Format.patch

    @Option(help: ArgumentHelp("The name of the app's Deployment.", valueName: "name"))
    var deployment = "my-app"

    @Option(help: ArgumentHelp("The name of the app's Service. Default: the name of the Deployment.", valueName: "name"))
    var service: String?

    // Written by scripts/names.
    @Option(help: "The gateway's image.")
    var image = "gateway:local"

    @Option(help: ArgumentHelp("The name of the Secret that holds every value the configuration refers to.", valueName: "name"))
    var secret = "gateway-secrets"

    @Option(help: ArgumentHelp("With --format kustomize: the folder to write to.", valueName: "folder"))
    var output = "gateway-sidecar"

    func validate() throws {
        for (option, name) in [("deployment", deployment), ("service", service ?? deployment), ("secret", secret)]
        where !Self.isObjectName(name) {
            throw ValidationError(
                "--\(option): `\(name)` is not a name for a Kubernetes object. Use lower-case letters, digits, `-` and `.` only.")
        }
        if image.isEmpty || image.contains(where: { $0.isWhitespace || $0 == "\"" || $0 == "\\" }) {
            throw ValidationError("--image: `\(image)` is not the name of an image.")
        }
    }

    func run() throws {
        let location = ConfigurationPath(argument: config)
        let source = try location.contents()
        let (configuration, needs) = try load(source)
        let manifests = SidecarManifests(
            deployment: deployment, service: service ?? deployment, image: image, secret: secret,
            publicPort: try port(configuration.server.listen, key: "server.listen", example: ":4180"),
            adminPort: try port(configuration.admin.listen, key: "admin.listen", example: ":9180"), needs: needs)
        switch format {
        case .patch: print(manifests.deploymentPatch)
        case .kustomize: try write(manifests, configuration: source)
        }
        explain(manifests, path: location.path)
    }

    /// The configuration and the names that it refers to. Only the ports decide what is printed, so other references may have no
    /// value on this machine. Files are those of the container and are not read here.
    private func load(_ source: SourceFile) throws -> (Configuration, SidecarManifests.Needs) {
        let recorder = NeedsRecorder()
        let text = String(decoding: source.bytes, as: UTF8.self)
        let surroundings = Surroundings(
            variable: { name in
                // A rule asks for it, the configuration does not refer to it.
                if name == Rule.replicasVariable { return nil }
                recorder.record(variable: name, isOptional: text.contains("${env:\(name):-"))
                return getenv(name).map { String(cString: $0) }
            },
            file: { path in
                recorder.record(file: path)
                return .unreadable(reason: "the file is in the container")
            })
        switch ConfigLoader.load(source, surroundings: surroundings, deciding: [["server", "listen"], ["admin", "listen"]]) {
        case .success(let loaded): return (loaded.configuration, recorder.needs)
        case .failure(let refusal):
            Terminal.say(refusal.report)
            throw ExitCode(1)
        }
    }

    /// The port of the first listener that the rest of the cluster reaches.
    private func port(_ addresses: [ListenAddress], key: String, example: String) throws -> Int {
        for case .tcp(let host, let port) in addresses where !AbsoluteURL.isLoopback(host: host) { return port }
        Terminal.say("gateway: `\(key)` is a loopback address, which other pods cannot reach; write `\(example)`")
        throw ExitCode(1)
    }

    private func write(_ manifests: SidecarManifests, configuration: SourceFile) throws {
        if mkdir(output, 0o755) != 0, errno != EEXIST {
            Terminal.say("gateway: cannot create \(output): \(String(cString: strerror(errno)))")
            throw ExitCode(1)
        }
        let files: [(String, [UInt8])] = [
            ("kustomization.yaml", Array(manifests.kustomization.utf8)),
            ("deployment.yaml", Array((manifests.deploymentPatch + "\n").utf8)),
            ("service.yaml", Array(manifests.servicePatch.utf8)),
            ("gateway.yaml", Array("\(SidecarManifests.mark)\n".utf8) + configuration.bytes),
        ]
        // All or nothing: files of others are never replaced.
        for (name, _) in files {
            guard case .contents(let bytes, _) = SystemFile.read("\(output)/\(name)") else { continue }
            if !bytes.starts(with: SidecarManifests.signature.utf8) {
                Terminal.say(
                    "gateway: \(output)/\(name) was not written by this command and is left alone; choose another folder with --output")
                throw ExitCode(1)
            }
        }
        for (name, bytes) in files {
            let path = "\(output)/\(name)"
            let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else {
                Terminal.say("gateway: cannot write \(path): \(String(cString: strerror(errno)))")
                throw ExitCode(1)
            }
            defer { close(descriptor) }
            guard bytes.withUnsafeBytes({ Glibc.write(descriptor, $0.baseAddress, $0.count) }) == bytes.count else {
                Terminal.say("gateway: cannot write all of \(path): \(String(cString: strerror(errno)))")
                throw ExitCode(1)
            }
        }
    }

    /// Prints the next steps.
    private func explain(_ manifests: SidecarManifests, path: String) {
        let names = manifests.needs.variables.filter { !$0.isOptional }.map { "--from-literal=\($0.name)=…" }
        let files = manifests.needs.files.map { file in
            let name = SidecarManifests.absolute(file).split(separator: "/").last.map(String.init) ?? file
            return "--from-file=\(name)=…"
        }
        Terminal.say("next:")
        if !(names + files).isEmpty {
            Terminal.say("  kubectl create secret generic \(manifests.secret) \((names + files).joined(separator: " "))")
        }
        switch format {
        case .patch:
            Terminal.say("  kubectl create configmap gateway --from-file=gateway.yaml=\(path)")
            Terminal.say("  kubectl patch deployment \(manifests.deployment) --patch-file THIS-OUTPUT")
            Terminal.say(
                "  kubectl patch service \(manifests.service) --type json --patch "
                    + "'[{\"op\":\"replace\",\"path\":\"/spec/ports/0/targetPort\",\"value\":\(manifests.publicPort)}]'")
        case .kustomize:
            Terminal.say("  components: [./\(output)]          in the kustomization.yaml of the app")
            Terminal.say("  kubectl apply --kustomize .")
        }
        Terminal.say(
            "Make the app listen on 127.0.0.1 only, or close its port with a NetworkPolicy,\nso that requests cannot bypass the gateway.")
    }

    /// RFC 1123 subdomain, as Kubernetes checks it.
    private static func isObjectName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 253
            && name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                !label.isEmpty && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
            }
    }
}

/// Records the variables and files that a configuration refers to.
private final class NeedsRecorder: Sendable {
    private let seen = Mutex(SidecarManifests.Needs())

    var needs: SidecarManifests.Needs { seen.withLock { $0 } }

    func record(variable name: String, isOptional: Bool) {
        seen.withLock { needs in
            if !needs.variables.contains(where: { $0.name == name }) { needs.variables.append(.init(name: name, isOptional: isOptional)) }
        }
    }

    func record(file path: String) {
        seen.withLock { needs in
            if !needs.files.contains(path) { needs.files.append(path) }
        }
    }
}
