import Primitives
import Testing

@testable import Pages

private let site = PageSite(name: "app.example.com", pathPrefix: "/_gateway")

/// The sentences of the account's pages and of the mails that an enumeration lists, and those of the forms and sections.
let accountSentences: Set<String> = {
    var found: Set<String> = []
    found.formUnion(CheckMailPage.Reason.allCases.map(\.text))
    found.formUnion(AccountNoticePage.Notice.allCases.flatMap { [$0.title, $0.text] })
    found.formUnion(AccountPage.Notice.allCases.map(\.text))
    found.formUnion(formProblems.map(\.sentence.english))
    for kind in mailKinds {
        let words = mail(kind).words
        found.formUnion(([words.subject] + words.text + words.closing).map(\.english) + [words.button])
    }
    found.formUnion(pageSentences)
    found.formUnion(secondFactorSentences)
    return found
}()

let formProblems: [FormProblem] = [
    .wrongCredentials, .tooManyAttempts(retryAfterSeconds: 60), .tooManyAttempts(retryAfterSeconds: 61), .invalidEmail,
    .shortPassword(minimumLength: 12), .longPassword, .commonPassword, .wrongCode, .refusedPasskey, .refusedPasskeySignIn,
    .expiredPasskeySignIn, .expiredCode,
    .tooManyMessages(retryAfterSeconds: 60), .tooManyMessages(retryAfterSeconds: 61), .invalidPhoneNumber, .secondFactorInUse,
    .tooManySecondFactors,
]

let mailKinds: [AccountMail.Kind] = [
    .verifyAddress(token: "t-1"), .resetPassword(token: "t-1"), .confirmNewAddress(token: "t-1"),
    .addressChanged(newAddress: "new@example.com"), .passwordChanged, .providerLinked(provider: "GitHub"), .signUpAttempt,
    .secondFactorAdded(name: "Work phone"), .secondFactorRemoved(name: "Work phone"),
]

/// A mail that can be made: the origin is one.
func mail(_ kind: AccountMail.Kind, site: PageSite = site, address: String = "alice@example.com", accent: AccentColor? = nil) -> AccountMail
{
    guard let mail = AccountMail(site: site, publicURL: "https://app.example.com", kind: kind, address: address, accent: accent) else {
        fatalError("https://app.example.com is an origin")
    }
    return mail
}

/// The titles, labels and sentences that stand in the pages themselves.
private let pageSentences: [String] = [
    "Continue without an account",
    "or",
    "Delete your account?",
    "The account, its ways to sign in and all its sessions are deleted at once. This cannot be undone.",
    "The app may still hold data of its own about you.",
    "Delete the account for good",
    "Keep the account",
    "Send the confirmation mail again",
    "Added on {date}",
    "Remove",
    "Link {provider}",
    "Remove {provider}",
    "Unknown browser",
    "New password",
    "Change password",
    "Set a password",
    "New e-mail address",
    "Change address",
    "Your other sessions end when the password changes.",
    "We send a link to the new address. The address changes when you open it, and your other sessions end.",
    "Change your e-mail address",
    "Manage second factors",
    "Second factors",
    "Last used on {date}",
    "Sessions",
    "Sign out everywhere else",
    "Delete account",
    "Name",
    "confirmed",
    "not confirmed",
    "E-mail address",
    "You use this site without an account. Add a way to sign in, so that you can come back from another browser.",
    "User ID",
    "This is your only way to sign in. Add another one before you remove it.",
    "Add a way to sign in",
    "Ways to sign in",
    "E-mail and password",
    "You have no second factor. With one, a stolen password is not enough to sign in.",
    "This session",
    "A page asks you for confirmation first.",
    "Your account",
    "To change your ways to sign in, your password or your address, sign in again first.",
    "The address belongs to an account that is linked to another {provider} account.",
    "Sign in to that account in one of its ways, or ask the site's administrator.",
    "The address that {provider} sent belongs to an account, and {provider} is not linked to it.",
    "An account with the address {email} exists, and {provider} is not linked to it.",
    "Sign in to that account the way you usually do. You are then asked whether to link {provider} to it.",
    "Sign in to that account in one of its ways. You are then asked whether to link {provider} to it.",
    "This works in this browser for {minutes} minutes. If you do not sign in, nothing changes.",
    "Link {provider} to your account?",
    "A sign-in with {provider} in this browser met your account, because both have the same e-mail address.",
    "A sign-in with {provider} as {name} in this browser met your account, because both have the same e-mail address.",
    "{provider} has not confirmed that the address {email} belongs to that user.",
    "If you link it, the user of that {provider} account can sign in to your account.",
    "Choose No if you did not sign in with {provider} yourself.",
    "No, do not link",
    "Yes, link",
    "{provider} is linked to another account of this site. Nothing was changed.",
    "You can sign in to that account now. You then use that one instead of the one you are signed in to.",
    "Sign in to the other account",
    "Keep using this account",
    "Cancel",
    "Confirm that it is you",
    "The next step is sensitive. Sign in again to the same account to continue.",
    "At least {count} characters. A few words that do not belong together are easy to remember.",
    "Send the mail",
    "Enter the e-mail address of your account. We send you a link to choose a new password.",
    "Back to the sign-in",
    "The change ends your sessions on all devices.",
    "Does the address {email} belong to you?",
    "This confirms it for the account {account}. If that is not your account, do not confirm.",
    "This confirms it for the registration that was begun in this browser. If you did not begin it, do not confirm.",
    "To confirm the address {email}, enter the password of the account that it is for.",
    "To confirm the address {email}, sign in to the account that it is for.",
    "You are signed in to another account in this browser.",
    "Sign in another way",
    "I did not create this account",
    "I did not ask for this",
    "If someone else created the account with your address, you can take it over. Its password, its other ways to sign in and its sessions are removed, and you choose a new password.",
    "If you did not ask for this mail, you can make its link invalid. Nothing else changes.",
    "Confirm your e-mail address",
    "Password",
    "Sign in with password",
    "Forgot your password?",
    "Create an account",
    "You will get a mail with a link that confirms your address.",
    "Sign in instead",
    "No mail after a few minutes? Look in the spam folder, and check the address for typing errors.",
    "Check your mail",
    "This mail was sent to {email} because of an action at {site}.",
]
