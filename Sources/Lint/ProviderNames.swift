import Config
import Diagnostics

/// The providers of a file by id, for rules that read lists of ids.
struct ProviderNames {
    private let enabled: [String]
    private let enabledSet: Set<String>
    private let disabledByID: [String: SourceSpan]

    /// - Parameter includingOwn: whether `password` and `anonymous` count, which issue no tokens.
    init(_ context: LintContext, includingOwn: Bool = true) {
        let own = includingOwn ? context.ownProviders : []
        enabled = context.providers.filter(\.configuration.enabled).map(\.id) + own.filter(\.isEnabled).map(\.id)
        enabledSet = Set(enabled)
        let disabled =
            context.providers.filter { !$0.configuration.enabled }.map { ($0.id, $0.object["enabled"]?.span ?? $0.idSpan) }
            + own.filter { !$0.isEnabled }.map { ($0.id, $0.object["enabled"]?.span ?? $0.idSpan) }
        disabledByID = Dictionary(disabled) { first, _ in first }
    }

    func isEnabled(_ id: String) -> Bool { enabledSet.contains(id) }

    /// The location that disables a provider; nil unless it is disabled.
    func disabled(_ id: String) -> SourceSpan? { disabledByID[id] }

    /// The enabled provider with the most similar id. With more than 50 providers, one is similar by chance, and the
    /// search would be slow in a file with thousands of names.
    func nearest(to id: String) -> String? { enabled.count > 50 ? nil : Spelling.nearest(to: id, among: enabled) }

    /// The ids that can be written instead.
    var listed: String {
        guard !enabled.isEmpty else { return "configure it under `providers`" }
        let shown = enabled.prefix(10).map { "`\($0)`" }.joined(separator: ", ")
        return "configured: \(shown)" + (enabled.count > 10 ? " and \(enabled.count - 10) more" : "")
    }
}
