/// The text message with a code.
package struct CodeMessage: Sendable {
    package var code: String
    package var siteName: String

    package init(code: String, siteName: String) {
        self.code = code
        self.siteName = siteName
    }

    static let sentence = "{code} is your code for {site}. It works for 5 minutes. Do not give it to anybody."

    /// One line.
    package func text(in language: Language) -> String {
        MailText.line(Sentence(Self.sentence, ["code": code, "site": siteName]).text(in: language))
    }
}
