import Pages

/// Every page of accounts in each of its states, with `value` wherever a value goes.
func accountPages(site: PageSite, value: String) -> [any LocalizedPage] {
    let provider = SignInPage.Provider(id: value, displayName: value)
    let password = PasswordSignIn(email: value, offersSignUp: true, offersReset: true, problem: .wrongCredentials)
    var pages: [any LocalizedPage] = [
        SignInPage(site: site, providers: [provider], returnTo: value, password: password, offersAnonymous: true),
        SignInPage(site: site, providers: [], password: PasswordSignIn(), offersAnonymous: true),
        SignUpPage(site: site, email: value, minimumLength: 12, returnTo: value, problem: .commonPassword),
        PasswordResetPage(site: site, email: value, returnTo: value, problem: .tooManyAttempts(retryAfterSeconds: 900)),
        NewPasswordPage(site: site, token: value, email: value, minimumLength: 12, problem: .shortPassword(minimumLength: 12)),
        NewPasswordPage(site: site, token: value, minimumLength: 12, offersRefusal: true),
        VerifyEmailPage(site: site, token: value, email: value, refusal: .cancels, account: .named(value)),
        VerifyEmailPage(site: site, token: value, email: value, refusal: .cancels, account: .anonymous),
        VerifyEmailPage(
            site: site, token: value, email: value, refusal: .takesOver, signIn: .init(withPassword: true, isSignedInElsewhere: true),
            problem: .wrongCredentials),
        VerifyEmailPage(site: site, token: value, email: value, refusal: .takesOver, signIn: .init(withPassword: false)),
        DeleteAccountPage(site: site, signedInAs: value),
        ConflictPage(
            site: site, newProvider: value, email: value, providers: [provider], password: password, returnTo: value, requestID: value),
        ConflictPage(site: site, newProvider: value, requestID: value),
        ConflictPage(site: site, newProvider: value, providers: [provider], hasOtherIdentity: true, requestID: value),
        LinkQuestionPage(site: site, provider: value, username: value, email: value, returnTo: value),
        LinkQuestionPage(site: site, provider: value, email: value, isEmailVerified: true),
        CredentialInUsePage(site: site, provider: provider, email: value),
        ReauthenticatePage(site: site, signedInAs: value, providers: [provider], password: password, returnTo: value),
    ]
    pages += CheckMailPage.Reason.allCases.map { CheckMailPage(site: site, reason: $0, returnTo: value) }
    pages += AccountNoticePage.Notice.allCases.map { AccountNoticePage(site: site, notice: $0, isSignedIn: true, returnTo: value) }
    pages.append(fullAccountPage(site: site, value: value))
    pages += AccountPage.Notice.allCases.map {
        AccountPage(
            site: site, profile: .init(uid: value, isAnonymous: true), linked: [.init(id: value, displayName: value, linkedAt: 0)],
            secondFactors: [], isRecent: false, notice: $0)
    }
    return pages
}

func fullAccountPage(site: PageSite, value: String, isRecent: Bool = true) -> AccountPage {
    AccountPage(
        site: site, profile: .init(uid: value, name: value, email: value),
        linked: [
            .init(id: value, displayName: value, account: value, linkedAt: 1_795_000_000),
            .init(id: "password", displayName: "password", account: value, linkedAt: 1_795_000_000),
        ],
        linkable: [.init(id: value, displayName: value, authorizationOrigin: value)],
        password: .init(isSet: true, minimumLength: 12, problem: .longPassword), email: .init(value: value, problem: .invalidEmail),
        secondFactors: [.init(displayName: value, enrolledAt: 1_795_000_000)],
        sessions: [
            .init(id: value, isCurrent: true, browser: value, address: value, lastSeenAt: 1_795_000_000),
            .init(id: value, isCurrent: false, browser: value, address: value, lastSeenAt: 1_795_000_000),
        ], isRecent: isRecent, notice: .linked)
}
