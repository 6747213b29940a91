import TokenCrypto

/// The members of one object of an import, with the checks that all of them need. A member that is null counts as absent.
struct ImportMembers {
    private let members: [String: JSONValue]

    /// `known`: others are refused, so that an earlier program loses nothing of a later one's export.
    init(_ value: JSONValue, only known: Set<String>? = nil) throws(ImportProblem) {
        guard let members = value.object else { throw ImportProblem("it is not a JSON object") }
        if let known, let other = members.keys.filter({ !known.contains($0) }).min() {
            throw ImportProblem(Self.isName(other) ? "the member `\(other)` is unknown" : "a member is unknown")
        }
        self.members = members.filter { $0.value != .null }
    }

    /// Only plain names are repeated on a terminal.
    private static func isName(_ text: String) -> Bool {
        text.utf8.count <= 40 && !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    func has(_ name: String) -> Bool { members[name] != nil }

    func text(_ name: String) throws(ImportProblem) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.string else { throw ImportProblem("`\(name)` is not a string") }
        guard !text.utf8.contains(0) else { throw ImportProblem("`\(name)` contains a NUL") }
        return text
    }

    func required(_ name: String) throws(ImportProblem) -> String {
        guard let text = try text(name), !text.isEmpty else { throw ImportProblem("`\(name)` is missing") }
        return text
    }

    /// A text as the store would keep it, whole.
    func profileText(_ name: String) throws(ImportProblem) -> String? {
        guard let text = try text(name) else { return nil }
        guard ProfileText.kept(text) == text else { throw ImportProblem("`\(name)` is empty or longer than 500 characters") }
        return text
    }

    func email(_ name: String) throws(ImportProblem) -> EmailAddress? {
        guard let text = try text(name) else { return nil }
        guard let email = EmailAddress(text) else { throw ImportProblem("`\(name)` is not an e-mail address") }
        return email
    }

    func flag(_ name: String) throws(ImportProblem) -> Bool? {
        guard let value = members[name] else { return nil }
        guard let flag = value.bool else { throw ImportProblem("`\(name)` is neither true nor false") }
        return flag
    }

    func time(_ name: String) throws(ImportProblem) -> Int64? {
        guard let text = try text(name) else { return nil }
        guard let time = AccountTime.milliseconds(text) else {
            throw ImportProblem("`\(name)` is not a time like 2026-11-26T02:08:20.123Z")
        }
        return time
    }

    func member(_ name: String) -> JSONValue? { members[name] }

    func integer(_ name: String) throws(ImportProblem) -> Int64? {
        guard let value = members[name] else { return nil }
        guard let number = value.integer else { throw ImportProblem("`\(name)` is not a whole number") }
        return number
    }

    func list(_ name: String) throws(ImportProblem) -> [JSONValue] {
        guard let value = members[name] else { return [] }
        guard let list = value.array else { throw ImportProblem("`\(name)` is not a list") }
        return list
    }

    /// A number, or its digits in a string, as Firebase writes 64-bit numbers.
    func milliseconds(_ name: String) throws(ImportProblem) -> Int64? {
        guard let value = members[name] else { return nil }
        let number: Int64?
        if let text = value.string {
            let isDigits =
                (1...15).contains(text.utf8.count) && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            number = isDigits ? Int64(text) : nil
        } else {
            number = value.integer
        }
        guard let number, AccountTime.range.contains(number) else {
            throw ImportProblem("`\(name)` is not a time in Unix milliseconds")
        }
        return number
    }
}
