/// An operator's own pages: Mustache templates that replace ours, one by one.
///
/// Every value is escaped. Refused are templates that could undo that (`MustacheTemplate`), scripts, which the pages' policy
/// would not run anyway, and partials that do not exist or include themselves.
package struct PageTemplates: Sendable {
    /// The pages that a template can replace, by their keys in the configuration.
    package enum Name: String, Sendable, CaseIterable {
        case signIn, signOut, signedOut, error
        /// Accounts with a password.
        case signUp, checkMail, passwordReset, newPassword, verifyEmail
        /// The account and what happens to it.
        case account, accountNotice, deleteAccount, conflict, linkQuestion, credentialInUse, reauthenticate
        /// Second factors.
        case secondFactor, secondFactors, enrolTOTP, enrolPhone, enrolPasskey, recoveryCodes
        /// A passkey instead of the password.
        case passkeySignIn
        /// The HTML part of every mail.
        case mail
    }

    package struct Problem: Error, Sendable, Equatable, CustomStringConvertible {
        /// The page's key or the partial's name.
        package let name: String
        package let reason: String
        package var description: String { "the template `\(name)`: \(reason)" }
    }

    private let templates: [String: MustacheTemplate]
    private let names: Set<Name>
    private let styleHashes: [String]

    /// The partial that brings the built-in look: `{{> gateway-style}}`.
    package static let stylePartial = "gateway-style"

    /// The partial that brings the script of passkeys. Only the pages that need the script allow it: `{{> gateway-passkey-script}}`.
    package static let scriptPartial = "gateway-passkey-script"
    private static let ownPartials: Set = [stylePartial, scriptPartial]

    /// - Parameters:
    ///   - pages: sources by the key of the page; unknown keys are ignored.
    ///   - partials: sources by name. A name of a page cannot be one.
    ///   - styles: the sheets of `{{> gateway-style}}`.
    ///   - sha256: standard Base64 of the SHA-256 of a text's UTF-8, for the style sheets in the content policy.
    package init(
        pages: [String: String], partials: [String: String], styles: [StyleSheet] = [.base], sha256: (String) -> String
    ) throws(Problem) {
        names = Set(pages.keys.compactMap(Name.init(rawValue:)))
        let styles = styles + [.secondFactors]
        var hashes = styles.map(\.hash)
        var compiled: [String: MustacheTemplate] = [:]
        for (name, text) in pages.sorted(by: { $0.key < $1.key }) + partials.sorted(by: { $0.key < $1.key }) {
            guard compiled[name] == nil, !Self.ownPartials.contains(name) else { throw Problem(name: name, reason: "the name is taken") }
            guard !text.lowercased().contains("<script") else {
                throw Problem(name: name, reason: "scripts do not run on these pages: take the <script> element out")
            }
            do throws(MustacheProblem) {
                compiled[name] = try MustacheTemplate(text)
            } catch {
                throw Problem(name: name, reason: "not a template that can be used: \(error)")
            }
            for style in try Self.styles(name, text) { hashes.append("sha256-\(sha256(style))") }
        }
        compiled[Self.stylePartial] = try? MustacheTemplate(styles.map { "<style>\($0.css)</style>" }.joined())
        compiled[Self.scriptPartial] = try? MustacheTemplate("<script>\(PageScript.passkeys.source)</script>")
        let includable = Set(partials.keys).union(Self.ownPartials)
        var known: [String: Inclusions] = [:]
        for name in compiled.keys.sorted() { _ = try Self.inclusions(of: name, in: compiled, includable, &known) }
        templates = compiled
        styleHashes = hashes
    }

    /// The page from its template; nil when it has none.
    func document(_ name: Name, context: [String: any Sendable]) -> HTML? { text(name, context: context).map { HTML.template($0) } }

    func page(_ document: HTML, status: Int, language: Language, policy: ContentPolicy) -> Page {
        var policy = policy
        policy.styleHashes = styleHashes
        policy.loadsOwnFiles = true
        return Page(status: status, document: document, language: language, policy: policy)
    }

    /// What the template renders; nil when there is none.
    func text(_ name: Name, context: [String: any Sendable]) -> String? {
        guard names.contains(name), let template = templates[name.rawValue] else { return nil }
        return MustacheRenderer.render(template, context, partials: templates)
    }

    /// The cost of rendering a template once.
    private struct Inclusions {
        /// The partials that are rendered, each as often as it is included.
        var count = 0
        /// The longest chain of partials.
        var depth = 0
    }

    private static let mostInclusions = 1_000
    private static let deepestInclusion = 32

    /// Counts the inclusions of a template, each of which has to exist. Rendering it would not end if it included itself, or if thirty
    /// partials included the next one twice each.
    ///
    /// - Parameters:
    ///   - includers: the templates on the way to this one, outermost first.
    ///   - known: the counts of the templates that are done, so that each is counted once.
    private static func inclusions(
        of name: String, in templates: [String: MustacheTemplate], _ includable: Set<String>, includers: [String] = [],
        _ known: inout [String: Inclusions]
    ) throws(Problem) -> Inclusions {
        if let found = known[name] { return found }
        var total = Inclusions()
        let path = includers + [name]
        for partial in templates[name]?.partials ?? [] {
            guard includable.contains(partial) else { throw Problem(name: name, reason: "there is no partial `\(partial)`") }
            guard !path.contains(partial) else { throw Problem(name: partial, reason: "it includes itself") }
            guard path.count <= deepestInclusion else {
                throw Problem(name: name, reason: "partials are nested more than \(deepestInclusion) deep")
            }
            let inner = try inclusions(of: partial, in: templates, includable, includers: path, &known)
            total.count += 1 + inner.count
            total.depth = max(total.depth, 1 + inner.depth)
            guard total.depth <= deepestInclusion else {
                throw Problem(name: name, reason: "partials are nested more than \(deepestInclusion) deep")
            }
            guard total.count <= mostInclusions else {
                throw Problem(name: name, reason: "it includes more than \(mostInclusions) partials")
            }
        }
        known[name] = total
        return total
    }

    /// What stands between `<style>` and `</style>`, byte for byte.
    private static func styles(_ name: String, _ text: String) throws(Problem) -> [String] {
        var found: [String] = []
        var rest = text[...]
        while let open = rest.firstRange(of: "<style") {
            guard let start = rest[open.upperBound...].firstIndex(of: ">") else { break }
            let content = rest[rest.index(after: start)...]
            guard let end = content.firstRange(of: "</style") else { throw Problem(name: name, reason: "<style> is not closed") }
            let style = String(content[..<end.lowerBound])
            guard !style.contains("{{") else {
                throw Problem(name: name, reason: "a style sheet cannot hold values: the page's policy allows it by its hash")
            }
            found.append(style)
            rest = content[end.upperBound...]
        }
        return found
    }
}
