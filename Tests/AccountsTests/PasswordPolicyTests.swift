import Testing
import TokenCrypto

@testable import Accounts

@Suite("What a new password must be")
struct PasswordPolicyTests {
    private let policy = PasswordPolicy(minimumLength: 12)

    private func problem(_ text: String, minimumLength: Int = 12) -> WeakPassword? {
        do throws(WeakPassword) {
            _ = try PasswordPolicy(minimumLength: minimumLength).check(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "each problem has its own reason",
        arguments: [
            ("", .tooShort(minimum: 12)), ("elf zeichen", .tooShort(minimum: 12)), ("zwölfzeichen", nil),
            // 12 characters as typed, 11 after normalisation.
            ("e\u{301}lf zeichen", .tooShort(minimum: 12)),
            ("\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}", .tooShort(minimum: 12)),
            (String(repeating: "ab", count: 512), nil), (String(repeating: "ab", count: 512) + "c", .tooLong),
            (String(repeating: "ä", count: 513), .tooLong), (String(repeating: "x", count: 1 << 20), .tooLong),
            ("new\nline in it", .controlCharacter), ("null\u{0} in the middle", .controlCharacter),
            ("tab\tin the middle", .controlCharacter),
            ("1qaz2wsx3edc", .common), ("1QAZ2wsx3EDC", .common), ("123456789987654321", .common), ("qwerty123456", .common),
            ("1qaz2wsx3edc4", nil), ("correct horse battery staple", nil),
        ] as [(String, WeakPassword?)])
    func reasons(text: String, expected: WeakPassword?) { #expect(problem(text) == expected) }

    /// Of each part of the list: the first, the last, and some between.
    @Test(
        "the first and the last of the 10,000 are common",
        arguments: ["123456", "password", "dragon", "Letmein", "PASSWORD", "qqqqqq1", "sonyericsson", "23176djivanfros"])
    func common(text: String) { #expect(problem(text, minimumLength: 1) == .common) }

    @Test("the table is sorted, and holds 10,000 different records")
    func table() {
        let text = Array(CommonPasswordTable.records.description.utf8)
        #expect(text.count == 5 * CommonPasswordTable.count && text.count <= 60 << 10)
        let records = stride(from: 0, to: text.count, by: 5).map { Array(text[$0..<$0 + 5]) }
        #expect(zip(records, records.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    }

    @Test("of 200,000 other passwords, no more are taken for common than the table's size explains")
    func falsePositives() throws {
        // 1.9 are expected; 12 have a probability below one in a million. The texts are always the same.
        let found = (0..<200_000).filter { problem("other password \($0)", minimumLength: 1) == .common }
        #expect(found.count < 12)
    }
}
