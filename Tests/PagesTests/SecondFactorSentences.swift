import Pages

/// The titles, labels and sentences that stand in the pages of second factors themselves.
let secondFactorSentences: [String] = [
    "Confirm your sign-in",
    "Enter the 6-digit code that your authenticator app shows for {site}.",
    "Use the passkey or security key that you added to your account.",
    "Enter the 6-digit code that we sent to {phone}.",
    "We send a code to {phone}.",
    "Enter one of your recovery codes. Each code works once.",
    "6-digit code",
    "Recovery code",
    "Send the message",
    "Use passkey",
    "Confirm",
    "Send another message",
    "Do not ask again on this browser for {days} days",
    "If you cannot use any of your second factors, ask the site's administrator.",
    "Authenticator app",
    "Passkey or security key",
    "Text message",
    "Recovery codes",
    "No passkey was added. Try again, or add another kind of second factor.",
    "The passkey was not used. Try again, or use another second factor.",
    "Passkeys need JavaScript and a browser that supports them. Add another kind of second factor, or use another browser.",
    "Passkeys need JavaScript and a browser that supports them. Use another second factor, or use another browser.",
    "Sign in with a passkey",
    "The passkey was not used. Try again, or sign in another way.",
    "Passkeys need JavaScript and a browser that supports them. Sign in another way, or use another browser.",
    "This passkey is already a second factor of your account.",
    "With a second factor, a stolen password is not enough to sign in.",
    "The second factor was added.",
    "The second factor was removed.",
    "This site requires a second factor. Add one to continue.",
    "To add or remove second factors, sign in again first.",
    "To add a second factor, confirm your e-mail address first.",
    "You use this site without an account. Add a way to sign in before you add a second factor.",
    "Continue",
    "If you remove your last other second factor, the recovery codes are removed, too.",
    "Codes left: {count}",
    "An app on your phone or computer shows a new code every 30 seconds.",
    "Set up an authenticator app",
    "Your device asks for your fingerprint, your face or a PIN, or you touch a security key.",
    "Add a passkey",
    "Phone number",
    "We send a code to your phone when you sign in.",
    "Ten codes that work once each, for when you cannot use your other second factors.",
    "You can create them after you add another second factor.",
    "New codes replace the ones that you have.",
    "Create new recovery codes",
    "Create recovery codes",
    "Name (optional)",
    "Add a second factor",
    "With the country code, such as +12025550123.",
    "Scan this QR code with an authenticator app.",
    "Then enter the code that the app shows.",
    "QR code with the secret",
    "Enter this secret in an authenticator app:",
    "Or enter this secret in the app:",
    "Open in an authenticator app",
    "Add the app",
    "Confirm your phone number",
    "Your browser asks you to create a passkey or to use a security key.",
    "Create passkey",
    "The codes that you had before no longer work.",
    "Your recovery codes",
    "Each code works once, when you cannot use your other second factors.",
    "Print this page, or store the codes in a password manager. They are not shown again.",
    "I have stored them",
]

/// Every page of second factors in each of its states, with `value` wherever a value goes.
func secondFactorPages(site: PageSite, value: String) -> [any LocalizedPage] {
    let factors = PageFactor.Kind.allCases.enumerated().map { index, kind in
        PageFactor(id: "\(value)-\(index)", kind: kind, displayName: index == 0 ? value : nil, phone: value, enrolledAt: 1_795_000_000)
    }
    func ask(_ index: Int, _ progress: SecondFactorPage.Progress = .notStarted, _ problem: FormProblem? = nil) -> SecondFactorPage {
        SecondFactorPage(
            site: site, factors: factors, chosen: factors[index].id, progress: progress, returnTo: value, rememberDays: 30,
            isRemembering: index == 0, isSignedIn: index == 0, problem: problem)
    }
    var pages: [any LocalizedPage] = [
        ask(0), ask(0, .notStarted, .wrongCode), ask(1), ask(1, .passkey(options: value), .refusedPasskey), ask(2),
        ask(2, .messageSent, .tooManyMessages(retryAfterSeconds: 61)), ask(2, .messageSent, .expiredCode), ask(3),
        EnrolTOTPPage(site: site, enrollment: value, secret: value, uri: "otpauth://totp/a?secret=\(value)", qrCode: value),
        EnrolTOTPPage(
            site: site, enrollment: value, secret: value, uri: "otpauth://totp/7?secret=7", returnTo: value, problem: .wrongCode),
        EnrolPhonePage(
            site: site, enrollment: value, phone: value, returnTo: value,
            problem: .tooManyAttempts(retryAfterSeconds: 61)),
        EnrolPasskeyPage(site: site, enrollment: value, options: value, returnTo: value, problem: .secondFactorInUse),
        PasskeySignInPage(site: site, purpose: .signIn, options: value, returnTo: value),
        PasskeySignInPage(site: site, purpose: .reauthentication, options: value, returnTo: value, problem: .refusedPasskeySignIn),
        RecoveryCodesPage(site: site, codes: [value, value], hasReplaced: true, returnTo: value),
    ]
    let offered = PageFactor.Kind.allCases
    pages += SecondFactorsPage.Notice.allCases.map {
        SecondFactorsPage(
            site: site, factors: factors, offered: offered, returnTo: value, notice: $0, phone: .init(number: value, displayName: value),
            problem: $0 == .added ? nil : .invalidPhoneNumber)
    }
    pages += SecondFactorsPage.Obstacle.allCases.map {
        SecondFactorsPage(site: site, factors: [factors[0], factors[3]], offered: offered, obstacle: $0, returnTo: value)
    }
    pages += [
        SecondFactorsPage(site: site, factors: [], offered: offered, problem: .tooManySecondFactors),
        SecondFactorsPage(
            site: site,
            factors: (0..<5).map { PageFactor(id: "\(value)\($0)", kind: .totp, enrolledAt: 0) }
                + [PageFactor(id: value, kind: .recovery, enrolledAt: 0, remainingCodes: 8)],
            offered: offered),
    ]
    return pages
}
