package import Config

/// The headers of each profile, as header templates (contract section 4).
package enum IdentityProfiles {
    package static func headers(of profile: IdentityConfiguration.Profile) -> [(name: String, template: String)] {
        switch profile {
        case .forwarded:
            [
                ("X-Forwarded-User", "{{ uid }}"), ("X-Forwarded-Email", "{{ email }}"),
                ("X-Forwarded-Email-Verified", "{{ emailVerified }}"), ("X-Forwarded-Preferred-Username", "{{ username }}"),
                ("X-Forwarded-Name", "{{ name }}"), ("X-Forwarded-Groups", "{{ groups }}"), ("X-Forwarded-Provider", "{{ provider }}"),
            ]
        case .authRequest:
            [
                ("X-Auth-Request-User", "{{ uid }}"), ("X-Auth-Request-Email", "{{ email }}"),
                ("X-Auth-Request-Preferred-Username", "{{ username }}"), ("X-Auth-Request-Groups", "{{ groups }}"),
            ]
        case .remoteUser:
            [
                ("Remote-User", "{{ username }}"), ("Remote-Email", "{{ email }}"), ("Remote-Name", "{{ name }}"),
                ("Remote-Groups", "{{ groups }}"),
            ]
        case .webauth:
            [
                ("X-WEBAUTH-USER", "{{ username }}"), ("X-WEBAUTH-EMAIL", "{{ email }}"), ("X-WEBAUTH-FULLNAME", "{{ name }}"),
                ("X-WEBAUTH-GROUPS", "{{ groups }}"),
            ]
        case .none: []
        }
    }

    /// The header of the signed assertion.
    package static let assertionHeader = "X-Gateway-Assertion"

    /// Every header of every profile, and the assertion's. Clients may not send any of them, whichever profile is configured.
    package static var allNames: [String] {
        IdentityConfiguration.Profile.allCases.flatMap { headers(of: $0).map(\.name) } + [assertionHeader]
    }
}
