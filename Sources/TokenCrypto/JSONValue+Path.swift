extension JSONValue {
    /// The member with this name; nil without one, or if this is not an object.
    package subscript(name: String) -> JSONValue? { object?[name] }

    /// A copy of an object in which `name` has another value, or none. Other values stay as they are.
    package func with(_ name: String, _ value: JSONValue?) -> JSONValue {
        guard var members = object else { return self }
        members[name] = value
        return .object(members)
    }

    /// Follows a path with dots. At each step, a member whose whole name equals the rest of the path (including dots) wins.
    ///
    /// Names with dots are also found inside a path: at each step, the longest member name
    /// that ends at a dot of the path is taken, without backtracking.
    /// `resource_access.my.client.roles` finds `roles` of the member `my.client`.
    ///
    /// In a list, a number is an index (`emails.0.value`). Any other name is looked up in each element and yields the list of
    /// results (`orgs.name`); nil if no element has it.
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
        // Nested lists do not occur in claims; descending into them would let a path multiply its results.
        let found = elements.compactMap { $0.array == nil ? $0.value(at: path) : nil }
        return found.isEmpty ? nil : .array(found)
    }
}
