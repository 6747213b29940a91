import Accounts

/// An address that is accepted is canonical, bounded, and safe in a mail header; each of its forms is read as the same address.
enum EmailTarget {
    static func check(_ input: [UInt8]) throws(Broken) {
        guard let address = EmailAddress(String(decoding: input, as: UTF8.self)) else { return }
        for form in [address.text, address.normalized] {
            try hold(form.utf8.count <= EmailAddress.longest, "a form is too long")
            try hold(form.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "a form has a space or a control character")
            try hold(form.utf8.count { $0 == UInt8(ascii: "@") } == 1, "a form has several @")
            guard let again = EmailAddress(form) else { throw Broken("a form is refused") }
            try hold(again == address, "a form is another address")
            try hold(again.normalized.utf8.elementsEqual(address.normalized.utf8), "the compared form is not stable")
        }
        try hold(EmailAddress(address.text)?.text.utf8.elementsEqual(address.text.utf8) == true, "the text is not stable")
        let domain = address.domain.utf8
        try hold(domain.allSatisfy { isHostByte($0) }, "the domain is no host name")
        try hold(domain.first != UInt8(ascii: ".") && domain.last != UInt8(ascii: "."), "the domain has an empty label")
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
