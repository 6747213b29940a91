import Sessions

/// Header lines made from templates and a session.
struct HeaderLines: Sendable {
    let lines: [(name: String, template: HeaderTemplate)]
    let showsUnverifiedEmail: Bool

    /// True when a header carries the access token: only then does a session keep one.
    var usesAccessToken: Bool { lines.contains { $0.template.fields.contains(.accessToken) } }

    /// The paths of the claims that headers carry.
    var claimPaths: [String] {
        lines.flatMap { $0.template.fields }.compactMap { if case .claim(let path) = $0 { path } else { nil } }
    }

    /// The lines for a session; for nobody those that name no value of a person. A header whose value is missing is not sent.
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

    /// nil for a template with a value in it, and for an empty one.
    private static func plainText(_ template: HeaderTemplate) -> String? {
        var text = ""
        for part in template.parts {
            guard case .literal(let literal) = part else { return nil }
            text += literal
        }
        return text.isEmpty ? nil : text
    }
}
