package import Primitives

/// A mail to one user, in plain text and HTML.
package struct MailMessage: Sendable, Hashable {
    package var to: MailAddress
    package var subject: String
    package var text: String
    package var html: String

    package init(to: MailAddress, subject: String, text: String, html: String) {
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
    }
}

/// A mail as it is sent.
struct RenderedMail: Sendable, Hashable {
    let from: String
    let to: String
    let needsSMTPUTF8: Bool
    /// RFC 5322, with CRLF.
    let bytes: [UInt8]

    static let maximumSubjectBytes = 500
    static let maximumBytes = 256 << 10

    /// `id`: letters and digits that no other mail has. `now`: Unix seconds.
    init(_ message: MailMessage, from: MailAddress, id: String, now: Int64) throws(MailError) {
        guard message.subject.utf8.count <= Self.maximumSubjectBytes, !message.subject.unicodeScalars.contains(where: \.isControlOrLineEnd)
        else { throw .invalid("the subject has a line break or another control character, or more than \(Self.maximumSubjectBytes) bytes") }
        self.from = from.address
        to = message.to.address
        needsSMTPUTF8 = from.needsSMTPUTF8 || message.to.needsSMTPUTF8
        // Quoted-printable never has `=_`.
        let boundary = "=_\(id)"
        let head = """
            From: \(Self.mailbox(from))
            To: \(Self.mailbox(message.to))
            Subject: \(MailText.unstructured(message.subject))
            Date: \(MailText.date(now))
            Message-ID: <\(id)@\(from.domain)>
            MIME-Version: 1.0
            Auto-Submitted: auto-generated
            Content-Type: multipart/alternative; boundary="\(boundary)"

            """
        var bytes = Self.withCRLF(head)
        for (type, body) in [("plain", message.text), ("html", message.html)] {
            let partHead = """

                --\(boundary)
                Content-Type: text/\(type); charset=utf-8
                Content-Transfer-Encoding: quoted-printable


                """
            bytes += Self.withCRLF(partHead)
            bytes += MailText.quotedPrintable(body)
        }
        bytes += Self.withCRLF("\n--\(boundary)--\n")
        guard bytes.count <= Self.maximumBytes else { throw .invalid("the mail is larger than \(Self.maximumBytes >> 10) KiB") }
        self.bytes = bytes
    }

    private static func mailbox(_ address: MailAddress) -> String {
        guard let name = address.name else { return address.address }
        let phrase = MailText.phrase(name)
        // On a line of its own after encoded words, which have a limit.
        return phrase + (phrase.hasPrefix("=?") ? "\r\n <" : " <") + address.address + ">"
    }

    /// Line feeds without a carriage return become CRLF.
    private static func withCRLF(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte == 0x0A, bytes.last != 0x0D { bytes.append(0x0D) }
            bytes.append(byte)
        }
        return bytes
    }
}
