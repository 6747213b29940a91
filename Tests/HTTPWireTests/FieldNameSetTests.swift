import HTTPWire
import Testing

@Suite struct FieldNameSetTests {
    private static let names = [
        "X-Forwarded-User", "X-Forwarded-Email", "X-Auth-Request-User", "Remote-User", "X-WEBAUTH-USER", "X-Gateway-Assertion",
    ]

    @Test(
        "CVE-2025-64484, CVE-2026-33433, CVE-2026-88011: every spelling that folds to one of ours is one of ours",
        arguments: [
            "X-Forwarded-User", "x-forwarded-user", "X-FORWARDED-USER", "X_Forwarded_User", "X.Forwarded.User", "x~forwarded!user",
            "X'Forwarded^User", "X_Forwarded-User", "x|forwarded`user", "X#Forwarded$User", "X%Forwarded&User", "X*Forwarded+User",
            "remote_user", "REMOTE.USER", "Remote User", "x-webauth-user", "X_WebAuth_User", "x gateway:assertion",
        ])
    func foldsToOurs(_ name: String) {
        #expect(FoldedNameSet(names: Self.names).contains(name))
    }

    @Test(
        "A name that is longer, shorter or another is not ours",
        arguments: [
            "", "X", "X-Forwarded-Use", "X-Forwarded-Users", "X--Forwarded-User", "XForwardedUser", "-X-Forwarded-User",
            "X-Forwarded-User-", "Accept", "Cookie", "Host", "Remote-Usee", "X-Forwarded-Usér", "X-Forwarded-User\u{E9}",
        ])
    func isNotOurs(_ name: String) {
        #expect(!FoldedNameSet(names: Self.names).contains(name))
    }

    @Test(
        "A beginning takes everything that folds to begin so",
        arguments: [
            ("X-Forwarded-Prefix", true), ("x_forwarded_anything", true), ("X.Forwarded.", true), ("X-Forwarded", false),
            ("Forwarded", false), ("X-Forwarde-d", false),
        ])
    func prefixes(_ name: String, _ expected: Bool) {
        #expect(FoldedNameSet(names: [], prefixes: ["X-Forwarded-"]).contains(name) == expected)
    }

    @Test("Every member of a large set is found in every mask of its separators, and no other name is")
    func large() {
        let names = (0..<2_000).map { "X-Header-\($0)-Name" }
        let set = FoldedNameSet(names: names + names.map { $0.lowercased() })
        for index in 0..<2_000 {
            #expect(set.contains("x_header.\(index)~NAME"))
            #expect(!set.contains("x_header.\(index + 2_000)~NAME"))
        }
    }

    @Test("A configuration may name more than 32,000 headers")
    func veryLarge() {
        let symbols = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        let names = (0..<33_000).map { "\(symbols[$0 % 36])xxx\(symbols[$0 / 36 % 36])x\(symbols[$0 / 1_296 % 36])y" }
        let set = FoldedNameSet(names: names)
        #expect(names.allSatisfy { set.contains($0) })
        #expect(!set.contains("axxxaxaz"))
    }

    @Test("An empty set holds nothing")
    func empty() {
        #expect(!FoldedNameSet(names: []).contains("X"))
        #expect(!FoldedNameSet(names: [""]).contains(""))
    }
}
