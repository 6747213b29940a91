import Access
package import HTTPWire
import NIOCore
import Primitives

/// Writes the fields of an answer that lets a request pass.
package enum PermitLines {
    /// The header with which Envoy removes headers from the request.
    package static let removal = "x-envoy-auth-headers-to-remove"

    /// Appends the identity headers, then every other name that only the gateway may set: emptied, or for Envoy listed for removal. In
    /// nginx the variable of an absent header is empty.
    package static func write(
        _ plan: borrowing ForwardPlan, _ dialect: QuestionDialect, asked: RequestHead, _ site: Site, now: Int64,
        into lines: inout LineBytes
    ) {
        let assertion = site.headWriter.assertionLine(plan, now: now)
        let found = dialect.removesHeaders ? lookAlikes(plan, asked, site) : []
        guard let caller = plan.caller, found.isEmpty else {
            return lines.put(rendered(plan, dialect, site, assertion, lookAlikes: found))
        }
        let route = plan.features?.requestEdits == nil ? -1 : plan.permit.route.index
        let key = Caller.PermitKey(route: route, dialect: dialect, hasAssertion: assertion != nil)
        if let known = caller.permitLines[key] {
            lines.put(known)
        } else {
            let made = rendered(plan, dialect, site, assertion, lookAlikes: [])
            caller.permitLines[key] = made
            lines.put(made)
        }
        if let assertion { lines.put(assertion) }
    }

    /// All lines but the assertion's, which is renewed while the others stay.
    private static func rendered(
        _ plan: borrowing ForwardPlan, _ dialect: QuestionDialect, _ site: Site, _ assertion: ByteBuffer?, lookAlikes: [String]
    ) -> ByteBuffer {
        var lines = LineBytes()
        site.headWriter.writeIdentity(plan, into: &lines)
        var written = written(lines.bytes)
        if assertion != nil, let name = site.assertion?.header { written.insert(name.utf8.map(FoldedName.fold)) }
        let unset = site.identity.identityNames.filter { !written.contains($0.utf8.map(FoldedName.fold)) }
        if dialect.removesHeaders {
            let set = Self.spelled(lines.bytes)
            let removed = unset + lookAlikes.filter { !set.contains($0) }
            if !removed.isEmpty { lines.put(text: "\(removal): \(removed.joined(separator: ","))\r\n") }
        } else if dialect == .forward {
            for name in unset { lines.put(text: "\(name):\r\n") }
        }
        if plan.caller == nil || !lookAlikes.isEmpty, let assertion { lines.put(assertion) }
        var buffer = ByteBuffer()
        lines.write(to: &buffer)
        return buffer
    }

    /// The names of complete field lines, in lower case.
    private static func spelled(_ lines: RawSpan) -> Set<String> {
        Set(String(decoding: lines).split(separator: "\r\n").map { $0.prefix { $0 != ":" }.lowercased() })
    }

    /// The folded names of complete field lines.
    private static func written(_ lines: RawSpan) -> Set<[UInt8]> {
        var names: Set<[UInt8]> = []
        var name: [UInt8] = []
        var isInName = true
        for offset in lines.byteOffsets {
            let byte = lines[offset]
            if byte == UInt8(ascii: "\n") {
                isInName = true
                name.removeAll(keepingCapacity: true)
            } else if isInName, byte == UInt8(ascii: ":") {
                isInName = false
                names.insert(name)
            } else if isInName {
                name.append(FoldedName.fold(byte))
            }
        }
        return names
    }

    /// Names of the request that the app must not get besides ours: other spellings of them, and what the route removes.
    private static func lookAlikes(_ plan: borrowing ForwardPlan, _ asked: RequestHead, _ site: Site) -> [String] {
        let bytes = asked.bytes.byteSpan
        let dropped = plan.features?.requestEdits?.removed
        var found: [String] = plan.dropsAuthorization && asked.has(.authorization) ? ["authorization"] : []
        for field in asked.fields {
            let name = field.name(in: bytes)
            guard site.identity.strippedFromTrusted.contains(name) && field.known == .other || dropped?.contains(name) ?? false else {
                continue
            }
            let text = String(decoding: name).lowercased()
            if !found.contains(text), !site.identity.identityNames.contains(where: { $0.lowercased() == text }) { found.append(text) }
        }
        return found
    }
}
