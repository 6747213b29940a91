import Config
import Diagnostics

/// The `# gateway-ignore: RULE reason` comments of a file.
///
/// One silences the warnings of one rule on the next line that is neither blank nor a comment. Errors cannot be silenced.
struct Suppressions {
    private struct Comment {
        var span: SourceSpan
        var rule: String
        var reason: String
        /// The line that the comment applies to.
        var target: Int
    }

    /// The maximum number of comments; later ones are ignored.
    private static let mostComments = 10_000
    private static let marker = "gateway-ignore"
    private let comments: [Comment]

    /// True if the file was checked with `--online`, so that comments about online rules can be unused.
    private let isOnline: Bool

    init(in source: SourceFile, outside multilineScalars: [SourceSpan], isOnline: Bool = false) {
        self.isOnline = isOnline
        var comments: [Comment] = []
        // Comments whose line is not known yet.
        var waiting = 0
        // Skip comments that end before the current line.
        var scalars = multilineScalars[...]
        for line in 1...source.lineCount {
            let offsets = source.contentOffsets(ofLine: line)
            guard let first = source.bytes[offsets].firstIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
            guard source.bytes[first] == UInt8(ascii: "#") else {
                for index in comments.indices.suffix(waiting) { comments[index].target = line }
                waiting = 0
                continue
            }
            scalars = scalars.drop { $0.end <= first }
            guard comments.count < Self.mostComments,
                let comment = Self.comment(
                    source.text(of: first..<offsets.upperBound), at: SourceSpan(start: first, end: offsets.upperBound)),
                scalars.first.map({ first <= $0.start }) ?? true
            else { continue }
            comments.append(comment)
            waiting += 1
        }
        self.comments = comments
    }

    private static func comment(_ text: String, at span: SourceSpan) -> Comment? {
        let body = text.drop { $0 == "#" || $0 == " " || $0 == "\t" }
        guard body.hasPrefix(marker) else { return nil }
        let rest = body.dropFirst(marker.count)
        guard rest.isEmpty || rest.first == ":" || rest.first == " " else { return nil }
        let words = rest.drop { $0 == ":" }.split(maxSplits: 1, omittingEmptySubsequences: true) { $0 == " " || $0 == "\t" }
        let trailing = text.reversed().prefix { $0 == " " || $0 == "\t" }.count
        return Comment(
            span: SourceSpan(start: span.start, end: span.end - trailing), rule: words.first.map(String.init) ?? "",
            reason: words.count > 1 ? words[1].filter { $0 != " " && $0 != "\t" } : "", target: 0)
    }

    /// The rule and line by which comments and findings are matched.
    private struct Target: Hashable {
        var rule: String
        var line: Int
    }

    /// The remaining findings, and the findings about the comments themselves.
    func apply(to diagnostics: [Diagnostic], in source: SourceFile) -> [Diagnostic] {
        guard !comments.isEmpty else { return diagnostics }
        var warnings: [Target: [Int]] = [:]
        var errors: Set<Target> = []
        for (index, finding) in diagnostics.enumerated() {
            let target = Target(rule: finding.rule.rawValue, line: source.position(at: finding.span.start).line)
            switch finding.severity {
            case .warning: warnings[target, default: []].append(index)
            case .error: errors.insert(target)
            case .note: break
            }
        }
        var silenced: Set<Int> = []
        var own: [Diagnostic] = []
        for comment in comments {
            guard !comment.reason.isEmpty else {
                own.append(withoutReason(comment))
                continue
            }
            let target = Target(rule: comment.rule, line: comment.target)
            if let found = warnings.removeValue(forKey: target) {
                silenced.formUnion(found)
            } else if isOnline || !(RuleRegistry.rule(named: comment.rule)?.isOnline ?? false) {
                own.append(unused(comment, isError: errors.contains(target), source))
            }
        }
        return diagnostics.indices.filter { !silenced.contains($0) }.map { diagnostics[$0] } + own
    }

    private func withoutReason(_ comment: Comment) -> Diagnostic {
        let name = comment.rule.isEmpty ? "RULE" : comment.rule
        return Diagnostic(
            .ignoreWithoutReason, at: comment.span,
            comment.rule.isEmpty
                ? "this comment names no rule and gives no reason" : "this comment gives no reason for silencing `\(comment.rule)`",
            label: "no reason", help: "write `# gateway-ignore: \(name) REASON`")
    }

    private func unused(_ comment: Comment, isError: Bool, _ source: SourceFile) -> Diagnostic {
        let fix = Fix(safe: true, [.init(replacing: wholeLine(of: comment, source), with: "")])
        if isError {
            return Diagnostic(
                .unusedIgnore, at: comment.span, "`\(comment.rule)` is an error here, and errors cannot be silenced",
                label: "has no effect",
                help: "remove the comment and fix the error below", fix: fix)
        }
        guard RuleRegistry.rule(named: comment.rule) != nil else {
            let near = RulePages.suggestion(for: comment.rule)
            return Diagnostic(
                .unusedIgnore, at: comment.span, "no rule is named `\(comment.rule)`",
                label: near.map { "did you mean `\($0)`?" } ?? "has no effect",
                help: "`gateway explain` lists the rules", fix: near == nil ? fix : nil)
        }
        return Diagnostic(
            .unusedIgnore, at: comment.span, "this comment has no effect: the line below has no `\(comment.rule)` finding",
            label: "has no effect",
            help: "remove it, or move it to the line above the key that the warning is about", fix: fix)
    }

    private func wholeLine(of comment: Comment, _ source: SourceFile) -> SourceSpan {
        let line = source.position(at: comment.span.start).line
        let start = source.contentOffsets(ofLine: line).lowerBound
        let next = line < source.lineCount ? source.contentOffsets(ofLine: line + 1).lowerBound : source.bytes.count
        return SourceSpan(start: start, end: next)
    }
}
