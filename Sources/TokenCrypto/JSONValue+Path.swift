extension JSONValue {
    /// The member of this name; nil when there is none or this is not an object.
    package subscript(name: String) -> JSONValue? { object?[name] }

    /// Walks a path with dots; a member whose whole name equals the rest of the path (dots included) wins at each step.
    ///
    /// Names with dots are found inside a path as well: at each step the longest name that is a
    /// member and ends where the path has a dot is taken, and a choice is never taken back.
    /// `resource_access.my.client.roles` finds `roles` of the member `my.client`.
    package func value(at path: String) -> JSONValue? {
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
}
