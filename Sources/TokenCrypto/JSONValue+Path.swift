extension JSONValue {
    /// The member of this name; nil when there is none or this is not an object.
    package subscript(name: String) -> JSONValue? { object?[name] }

    /// Walks a path with dots; a member whose whole name equals the rest of the path (dots included) wins at each step.
    ///
    /// Names with dots are found inside a path as well: at each step the longest name that is a
    /// member and ends where the path has a dot is taken, and a choice is never taken back.
    /// `resource_access.my.client.roles` finds `roles` of the member `my.client`.
    ///
    /// In a list a number is the place (`emails.0.value`); anything else is looked for in each element and gives the list of what
    /// was found (`orgs.name`), nil when no element has it.
    package func value(at path: String) -> JSONValue? {
        if let elements = array { return Self.value(at: path, in: elements) }
        guard let members = object else { return nil }
        if let whole = members[path] { return whole }
        let text = path.utf8
        var end = text.endIndex
        while let dot = text[..<end].lastIndex(of: UInt8(ascii: ".")) {
            if let next = members[String(path[..<dot])] {
                return next.value(at: String(path[path.utf8.index(after: dot)...]))
            }
            end = dot
        }
        return nil
    }

    private static func value(at path: String, in elements: [JSONValue]) -> JSONValue? {
        let parts = path.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        if let first = parts.first, !first.isEmpty, first.utf8.count <= 4, first.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            let place = Int(first)
        {
            guard elements.indices.contains(place) else { return nil }
            return parts.count == 1 ? elements[place] : elements[place].value(at: String(parts[1]))
        }
        // A list in a list is no shape of claims; looking into it would let a path multiply what it finds.
        let found = elements.compactMap { $0.array == nil ? $0.value(at: path) : nil }
        return found.isEmpty ? nil : .array(found)
    }
}
