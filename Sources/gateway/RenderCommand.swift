import ArgumentParser
import Config
import Diagnostics
import Glibc
import Lint
import Synchronization
import TokenCrypto

struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Print what puts the gateway into a deployment.", subcommands: [RenderSidecarCommand.self])
}

/// `gateway render sidecar`: for Kubernetes without Helm.
struct RenderSidecarCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sidecar", abstract: "Manifests that put the gateway beside an app in its pod, for Kubernetes without Helm.",
        discussion: """
            patch: prints a patch of the app's Deployment, for `kubectl patch --patch-file`. kustomize: writes a component into \
            a folder, with the Service's patch and the configuration.

            The secrets that the configuration refers to need not be on this machine. What to do with the result goes to \
            standard error.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case patch, kustomize }

    @Argument(help: "The configuration file. Default: the file that `gateway run` would take.")
    var config: String?

    @Option(help: "What to make.")
    var format = Format.patch

    @Option(help: "The app's Deployment.")
    var deployment = "my-app"

    @Option(help: "The app's Service. Default: named as the Deployment.")
    var service: String?

    // Written by scripts/names.
    @Option(help: "The gateway's image.")
    var image = "gateway:local"

    @Option(help: "The Secret with everything that the configuration refers to.")
    var secret = "gateway-secrets"

    @Option(help: "With kustomize: the folder to write to.")
    var output = "gateway-sidecar"

    func validate() throws {
        for (option, name) in [("deployment", deployment), ("service", service ?? deployment), ("secret", secret)]
        where !Self.isObjectName(name) {
            throw ValidationError("--\(option) `\(name)` is no name of a Kubernetes object: lower-case letters, digits, `-` and `.` only.")
        }
        if image.isEmpty || image.contains(where: { $0.isWhitespace || $0 == "\"" || $0 == "\\" }) {
            throw ValidationError("--image `\(image)` is no name of an image.")
        }
    }

    func run() throws {
        let path = ConfigurationPath.resolve(config)
        guard case .success(let source) = ConfigurationPath.read(path) else {
            Terminal.say("gateway: cannot read \(path)")
            throw ExitCode(1)
        }
        let (configuration, needs) = try load(source)
        let manifests = SidecarManifests(
            deployment: deployment, service: service ?? deployment, image: image, secret: secret,
            publicPort: try port(configuration.server.listen, key: "server.listen", example: ":4180"),
            adminPort: try port(configuration.admin.listen, key: "admin.listen", example: ":9180"), needs: needs)
        switch format {
        case .patch: print(manifests.deploymentPatch)
        case .kustomize: try write(manifests, configuration: source)
        }
        explain(manifests, path: path)
    }

    /// The configuration, and what it refers to. Secrets that are not on this machine are stood in for: only their names matter.
    private func load(_ source: SourceFile) throws -> (Configuration, SidecarManifests.Needs) {
        let recorder = NeedsRecorder()
        let standIn = Base64.encode(SecureRandom.bytes(32))
        let text = String(decoding: source.bytes, as: UTF8.self)
        let surroundings = Surroundings(
            variable: { name in
                // A rule asks for it, the configuration does not refer to it.
                if name == Rule.replicasVariable { return nil }
                let hasDefault = text.contains("${env:\(name):-")
                recorder.record(variable: name, isOptional: hasDefault)
                return getenv(name).map { String(cString: $0) } ?? (hasDefault ? nil : standIn)
            },
            file: { path in
                recorder.record(file: path)
                return .contents(Array(standIn.utf8), FileFacts(permissions: 0o440, isKubernetesVolume: true))
            })
        switch ConfigLoader.load(source, surroundings: surroundings) {
        case .success(let loaded): return (loaded.configuration, recorder.needs)
        case .failure(let refusal):
            Terminal.say(TextRenderer(color: ColorChoice.auto.isOn(for: STDERR_FILENO), columns: Terminal.columns).render(refusal.report))
            throw ExitCode(1)
        }
    }

    /// The port of the first listener that the rest of the cluster reaches.
    private func port(_ addresses: [ListenAddress], key: String, example: String) throws -> Int {
        for case .tcp(let host, let port) in addresses where !AbsoluteURL.isLoopback(host: host) { return port }
        Terminal.say("gateway: `\(key)` is on loopback, where nobody outside of the pod reaches it; write `\(example)`")
        throw ExitCode(1)
    }

    private func write(_ manifests: SidecarManifests, configuration: SourceFile) throws {
        if mkdir(output, 0o755) != 0, errno != EEXIST {
            Terminal.say("gateway: cannot make \(output): \(String(cString: strerror(errno)))")
            throw ExitCode(1)
        }
        let files: [(String, [UInt8])] = [
            ("kustomization.yaml", Array(manifests.kustomization.utf8)),
            ("deployment.yaml", Array((manifests.deploymentPatch + "\n").utf8)),
            ("service.yaml", Array(manifests.servicePatch.utf8)),
            ("gateway.yaml", Array("\(SidecarManifests.mark)\n".utf8) + configuration.bytes),
        ]
        // All or nothing: no file of somebody else's is touched.
        for (name, _) in files {
            guard case .contents(let bytes, _) = SystemFile.read("\(output)/\(name)") else { continue }
            if !bytes.starts(with: SidecarManifests.mark.utf8) {
                Terminal.say("gateway: \(output)/\(name) is not of this command and is left alone; choose another folder with --output")
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

    /// What is left to do by hand.
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
        Terminal.say("and let the app listen on 127.0.0.1 only, or close its port with a NetworkPolicy: the Service no longer leads there.")
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

/// Notes what a configuration refers to while it is read.
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
