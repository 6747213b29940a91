import TokenCrypto

@testable import SignIn

extension IDTokenRefusal {
    /// The refusal of a time claim by a clock that says `now`.
    static func time(_ name: TimeClaim.Name, _ claim: JSONValue?, now: Int64 = epoch) -> IDTokenRefusal {
        .time(TimeClaim(name, claim, now: now))
    }
}

extension BearerRefusal {
    static func lateExpiry(_ claim: JSONValue?) -> BearerRefusal { .expired(TimeClaim(.exp, claim, now: epoch)) }
}
