package import Config

/// How a request that nobody is signed in for is answered (contract section 6, Not signed in).
package enum UnauthenticatedAnswer: Sendable, Hashable {
    /// To the sign-in. 302 keeps a GET a GET; 303 turns everything else into one, so that no body is sent again (RFC 9110 section 15.4.4).
    case redirect(status: Int)
    /// 401.
    case unauthorized

    /// A preflight is never redirected: browsers take a redirect of one as a failure.
    package init(to kind: NavigationKind, under policy: UnauthenticatedPolicy) {
        switch (policy, kind) {
        case (.deny, _), (_, .preflight), (.auto, .programmatic): self = .unauthorized
        case (.auto, .navigation), (.redirect, .navigation): self = .redirect(status: 302)
        case (.auto, .formPost), (.redirect, .formPost), (.redirect, .programmatic): self = .redirect(status: 303)
        }
    }
}
