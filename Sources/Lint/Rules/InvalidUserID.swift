import Config
import Diagnostics

extension RuleName {
    static let invalidUserID = RuleName("invalid-user-id", .warning)
}

extension Rule {
    static let invalidUserID = Rule(
        .invalidUserID, what: "An entry of `users` is not a gateway user id.",
        why: """
            A user id has 26 characters of lower-case base32. It is never an address or a login name, so this entry matches no user. With \
            `accounts`, imported users keep the ids that they had before; then the rule reports addresses only.
            """,
        instead: "Copy the id from the log or from the app's identity header. For addresses, use `emails`.",
        bad: Example(
            """
            routes: [{ path: /**, access: { users: [«alice@example.com»] } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, access: { users: [mfrggzdfmztwq2lknnwg23tpob] } }]
            """),
        check: { context in
            context.accessRules.flatMap { _, rule in
                (rule["users"]?.list ?? []).compactMap { item -> Diagnostic? in
                    let isImported = context.accounts != nil
                    guard let text = item.text, !isUserID(text) else { return nil }
                    let isAddress = text.contains("@")
                    guard isAddress || !isImported else { return nil }
                    return Diagnostic(
                        .invalidUserID, at: item.referenceSpan, "this is not a user id, so it matches no user",
                        label: isAddress ? "an e-mail address" : "not 26 characters of base32",
                        help: isAddress
                            ? "move it to `emails`" : "copy the id from the log or from the identity header `X-Forwarded-User`",
                        severity: isAddress ? .warning : .note)
                }
            }
        })

    /// Contract section 4: lower-case base32 (RFC 4648 section 6).
    private static func isUserID(_ text: String) -> Bool {
        text.utf8.count == 26
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains($0)
            }
    }
}
