package import Primitives
import TokenCrypto

/// The mail server of `mail.url`, with the user name and the password.
package struct MailServer: Sendable, Hashable, Redacted {
    let url: MailURL
    let user: String?
    let password: String?

    package init(parsing text: String) throws(MailURL.Problem) {
        url = try MailURL(text)
        let credentials = try MailURL.credentials(of: text)
        user = credentials?.user
        password = credentials?.password
    }
}
