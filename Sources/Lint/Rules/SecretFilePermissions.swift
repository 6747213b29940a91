import Config
import Diagnostics

extension RuleName {
    static let secretFilePermissions = RuleName("secret-file-permissions", .warning)
}

extension Rule {
    static let secretFilePermissions = Rule(
        .secretFilePermissions,
        what: "Every user of the machine can read a file that contains a secret. If every user can write to the file, this is an error.",
        why:
            "Any program on the machine could read or replace the secret. Kubernetes volumes are not checked, because the cluster sets their modes.",
        instead: "Run `chmod 600` on the file, and make the gateway's user its owner.",
        bad: Example("session: { keys: [\"«${file:./world-readable.key}»\"] }\n"),
        good: Example("session: { keys: [\"${file:./session.key}\"] }\n"),
        check: { context in
            (context.secrets + context.storeURLs).flatMap { _, item in
                (item.expanded?.references ?? []).compactMap { finding(for: $0) }
            }
        })

    private static func finding(for reference: Reference) -> Diagnostic? {
        guard case .file(let path, let facts) = reference.target, let mode = facts.permissions else { return nil }
        let help = "run `chmod 600 \(path)`"
        if mode & 0o002 != 0 {
            return Diagnostic(
                .secretFilePermissions, at: reference.span, "every user of this machine can write the file `\(path)`",
                label: "mode \(String(mode & 0o777, radix: 8))", help: help, severity: .error)
        }
        guard mode & 0o004 != 0, !facts.isKubernetesVolume else { return nil }
        return Diagnostic(
            .secretFilePermissions, at: reference.span, "every user of this machine can read the file `\(path)`",
            label: "mode \(String(mode & 0o777, radix: 8))", help: help)
    }
}
