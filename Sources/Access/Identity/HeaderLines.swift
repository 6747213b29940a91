import Sessions

/// Header lines rendered from templates and a session.
struct HeaderLines: Sendable {
    let lines: [(name: String, template: HeaderTemplate)]
    let showsUnverifiedEmail: Bool

    /// True if a header carries the access token; only then does a session store it.
    var usesAccessToken: Bool { lines.contains { $0.template.fields.contains(.accessToken) } }

    /// The claim paths that headers use.
    var claimPaths: [String] {
        lines.flatMap { $0.template.fields }.compactMap { if case .claim(let path) = $0 { path } else { nil } }
    }

    /// Renders the lines for a session. Without one, renders only lines without user data. A header without a value is not sent.
    func render(session: Session?) -> RenderedIdentity {
        var rendered = RenderedIdentity()
        let values = session.map { IdentityValues(session: $0, showsUnverifiedEmail: showsUnverifiedEmail) }
        for line in lines {
            var leftOut = ItemsLeftOut()
            let text = values.map { $0.render(line.template, leftOut: &leftOut) } ?? Self.plainText(line.template)
            if leftOut.count > 0 {
                rendered.omissions.append(
                    HeaderOmission(header: line.name, reason: .itemsLeftOut(leftOut.count), groups: leftOut.groups))
            }
            guard let value = text else { continue }
            if HeaderText.holdsControl(value) {
                rendered.omissions.append(HeaderOmission(header: line.name, reason: .controlCharacter))
            } else if HeaderText.hasOuterWhiteSpace(value) {
                rendered.omissions.append(HeaderOmission(header: line.name, reason: .outerWhiteSpace))
            } else {
                rendered.bytes += line.name.utf8
                rendered.bytes += ": ".utf8
                rendered.bytes += value.utf8
                rendered.bytes += "\r\n".utf8
            }
        }
        return rendered
    }

    /// The constant text of a template; nil if the template uses a value or is empty.
    private static func plainText(_ template: HeaderTemplate) -> String? {
        var text = ""
        for part in template.parts {
            guard case .literal(let literal) = part else { return nil }
            text += literal
        }
        return text.isEmpty ? nil : text
    }
}
