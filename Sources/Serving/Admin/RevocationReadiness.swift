package import Sessions
package import Telemetry

/// The lists of revocations in `/readyz?verbose`. A full one makes the gateway not unready: a restart would only forget entries.
package enum RevocationReadiness {
    package static func check(_ lists: [RevocationList]) -> Readiness.Check {
        let full = lists.filter(\.isFull).map { "\($0.name.rawValue) is full, and \(consequence(of: $0.name)) until entries expire" }
        let fill = lists.map { "\($0.name.rawValue) \($0.count)" + ($0.limit.map { " of \($0)" } ?? "") }
        return Readiness.Check(
            name: "ended-sessions", isPassing: full.isEmpty, isRequired: false,
            detail: (full + [fill.joined(separator: ", ")]).joined(separator: "; "))
    }

    private static func consequence(of name: RevocationList.Name) -> String {
        switch name {
        case .sessions: "sign-outs answer 503"
        case .anonymous: "sign-outs of anonymous users answer 503"
        case .accounts: "nothing is refused"
        case .unmatched: "front-channel logouts of unknown sessions answer 503"
        }
    }
}
