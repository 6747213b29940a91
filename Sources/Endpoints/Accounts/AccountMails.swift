import Primitives
import Accounts
import Pages

extension EndpointContext {
    /// Sends a mail about an account, after the answer. Nothing without `mail`.
    func mail(_ kind: AccountMail.Kind, to address: EmailAddress, in language: Language) {
        guard let delivery = accounts?.mail, let publicURL = site.publicURL?.text,
            let mail = AccountMail(site: site.pageSite, publicURL: publicURL, kind: kind, address: address.text)
        else { return }
        delivery.send(mail.render(in: language), to: address, about: kind.name)
    }
}
