/// The reason why a mail was not sent. Texts hold no address, no password and nothing that the server said.
package enum MailError: Error, Sendable, Hashable {
    /// Too many mails are waiting.
    case busy
    case closed
    /// libcurl is not installed, or is no usable one: what to do.
    case library(String)
    /// The mail itself cannot be sent.
    case invalid(String)
    case timeout
    case unreachable(String)
    /// The server has no TLS, or its certificate is not trusted.
    case insecure(String)
    /// The server refused the user name or the password.
    case credentials
    /// The server's status: 400 to 499 for now, 500 to 599 for good.
    case refused(status: Int)
    /// The address has characters that this server cannot take.
    case needsSMTPUTF8
    case failed(String)

    package var reason: String {
        switch self {
        case .busy: "too many mails are waiting"
        case .closed: "the gateway stops"
        case .library(let what), .invalid(let what), .insecure(let what), .failed(let what): what
        case .timeout: "the mail server did not take the mail within \(MailSender.timeout)"
        case .unreachable(let what): "no connection to the mail server: \(what)"
        case .credentials: "the mail server refused the user name or the password of mail.url"
        case .refused(let status): "the mail server refused the mail with status \(status)"
        case .needsSMTPUTF8: "the address has characters outside of ASCII, and the mail server does not offer SMTPUTF8"
        }
    }

    /// Whether the same mail may be taken later.
    package var isTransient: Bool {
        switch self {
        case .busy, .closed, .library, .timeout, .unreachable, .insecure, .credentials, .failed: true
        case .refused(let status): !(500...599).contains(status)
        case .invalid, .needsSMTPUTF8: false
        }
    }
}
