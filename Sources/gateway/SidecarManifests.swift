/// The manifests that run the gateway in an app's pod, as YAML.
///
/// `charts/gateway` renders the same container in its sidecar mode. A test compares the two, so change both.
struct SidecarManifests {
    /// The variables and files that the configuration refers to.
    struct Needs: Equatable {
        struct Variable: Equatable {
            var name: String
            /// True when the configuration has a default for it.
            var isOptional: Bool
        }
        var variables: [Variable] = []
        /// Paths as the configuration writes them.
        var files: [String] = []
    }

    var deployment: String
    var service: String
    var image: String
    /// The Secret that holds everything the configuration refers to.
    var secret: String
    var publicPort: Int
    var adminPort: Int
    var needs: Needs

    static let configurationFolder = "/etc/gateway"
    /// How every file of this command begins, in earlier releases too.
    static let signature = "# Written by `gateway render sidecar`"
    static let mark = "\(signature). Do not edit; run the command again."

    // MARK: - Patch

    /// A strategic merge patch of the app's Deployment.
    var deploymentPatch: String {
        """
        \(Self.mark)
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: \(Self.quoted(deployment))
        spec:
          template:
            spec:
              # The group that may read the mounted secrets.
              securityContext:
                fsGroup: 65532
              initContainers:
                # Stays beside the app (Kubernetes 1.29): starts before it, ends after it.
                - name: gateway
                  restartPolicy: Always
                  image: \(Self.quoted(image))
                  imagePullPolicy: IfNotPresent
                  args: [run, \(Self.configurationFolder)/gateway.yaml]
        \(environment)          ports:
                    - { name: gateway-http, containerPort: \(publicPort), protocol: TCP }
                    - { name: gateway-admin, containerPort: \(adminPort), protocol: TCP }
                  startupProbe:
                    httpGet: { path: /livez, port: gateway-admin }
                    periodSeconds: 1
                    failureThreshold: 60
                  livenessProbe:
                    httpGet: { path: /livez, port: gateway-admin }
                    periodSeconds: 10
                    timeoutSeconds: 3
                    failureThreshold: 3
                  readinessProbe:
                    httpGet: { path: /readyz, port: gateway-admin }
                    periodSeconds: 2
                    timeoutSeconds: 2
                    failureThreshold: 1
                  resources:
                    requests: { cpu: 50m, memory: 64Mi }
                    limits: { memory: 256Mi }
                  securityContext:
                    allowPrivilegeEscalation: false
                    capabilities: { drop: [ALL] }
                    privileged: false
                    readOnlyRootFilesystem: true
                    runAsGroup: 65532
                    runAsNonRoot: true
                    runAsUser: 65532
                    seccompProfile: { type: RuntimeDefault }
                  volumeMounts:
        \(mounts)      volumes:
        \(volumes)
        """
    }

    /// A JSON patch of the app's Service: to the gateway by number, because a name could be the app's as well.
    var servicePatch: String {
        """
        \(Self.mark)
        - op: replace
          path: /spec/ports/0/targetPort
          value: \(publicPort)

        """
    }

    /// A kustomize component, to be listed under `components`.
    var kustomization: String {
        """
        \(Self.mark)
        # In the kustomization.yaml of the app:
        #
        #   components: [./gateway-sidecar]
        apiVersion: kustomize.config.k8s.io/v1alpha1
        kind: Component
        configMapGenerator:
          # The name gets a hash: a changed configuration restarts the pods.
          - name: gateway
            files: [gateway.yaml]
        patches:
          - path: deployment.yaml
            target: { kind: Deployment, name: \(Self.quoted(deployment)) }
          - path: service.yaml
            target: { kind: Service, name: \(Self.quoted(service)) }

        """
    }

    // MARK: - Parts

    private var environment: String {
        guard !needs.variables.isEmpty else { return "" }
        return "          env:\n"
            + needs.variables.map { variable in
                let optional = variable.isOptional ? ", optional: true" : ""
                return
                    "            - name: \(Self.quoted(variable.name))\n"
                    + "              valueFrom: { secretKeyRef: { name: \(Self.quoted(secret)), key: \(Self.quoted(variable.name))\(optional) } }\n"
            }.joined()
    }

    /// Files by the folder they are looked for in, the configuration's own first.
    private var folders: [(path: String, files: [String])] {
        var result: [(path: String, files: [String])] = [(Self.configurationFolder, [])]
        for file in needs.files {
            let path = Self.absolute(file)
            guard let slash = path.lastIndex(of: "/") else { continue }
            let folder = slash == path.startIndex ? "/" : String(path[..<slash])
            let name = String(path[path.index(after: slash)...])
            if let index = result.firstIndex(where: { $0.path == folder }) {
                if !result[index].files.contains(name) { result[index].files.append(name) }
            } else {
                result.append((folder, [name]))
            }
        }
        return result
    }

    private var mounts: String {
        folders.enumerated().map { index, folder in
            "            - { name: \(Self.volumeName(index)), mountPath: \(Self.quoted(folder.path)), readOnly: true }\n"
        }.joined()
    }

    private var volumes: String {
        folders.enumerated().map { index, folder in
            var lines = [
                "        - name: \(Self.volumeName(index))", "          projected:", "            defaultMode: 0440",
                "            sources:",
            ]
            if index == 0 { lines.append("              - configMap: { name: gateway }") }
            if !folder.files.isEmpty {
                lines += ["              - secret:", "                  name: \(Self.quoted(secret))", "                  items:"]
                lines += folder.files.map { "                    - { key: \(Self.quoted($0)), path: \(Self.quoted($0)) }" }
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static func volumeName(_ index: Int) -> String { index == 0 ? "gateway-config" : "gateway-files-\(index)" }

    /// Where a path of the configuration is in the container; `.` and `..` are resolved.
    static func absolute(_ path: String) -> String {
        let whole = path.hasPrefix("/") ? path : configurationFolder + "/" + path
        var parts: [Substring] = []
        for part in whole.split(separator: "/") {
            if part == ".." {
                parts = parts.dropLast()
            } else if part != "." {
                parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// A YAML scalar that stays the string it is.
    static func quoted(_ text: String) -> String {
        let plain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "/"), UInt8(ascii: "_"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        let startsWithLetter =
            text.utf8.first.map { $0 == UInt8(ascii: "/") || ($0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z")) } ?? false
        let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        if plain, startsWithLetter, !words.contains(text.lowercased()) { return text }
        return "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
}
