package import TokenCrypto

/// An identity that met a conflict, until its user has signed in to the account that has its address and is asked whether to link it.
///
/// Only a proof makes one, and only this process's keys open a sealed one: the seal replaces the proof.
package struct ConflictingIdentity: PendingPayload {
    package static let purpose = "link"
    /// Longer paths become `/`: the cookie must fit into 4 KiB.
    private static let longestPath = 512

    package let identity: LinkedIdentity
    let runsMailbox: Bool
    /// Where the sign-in that met the conflict was to lead.
    package let returnPath: String

    init(_ identity: LinkedIdentity, runsMailbox: Bool, returnPath: String = "/") {
        self.identity = identity
        self.runsMailbox = runsMailbox
        self.returnPath = returnPath.utf8.count <= Self.longestPath ? returnPath : "/"
    }

    package init?(members: [String: JSONValue]) {
        guard let provider = members["provider"]?.string, let issuer = members["iss"]?.string, let subject = members["sub"]?.string,
            let linkedAt = members["at"]?.integer, let returnPath = members["rd"]?.string
        else { return nil }
        let identity = LinkedIdentity(
            provider: provider, issuer: issuer, subject: subject, email: members["email"]?.string.flatMap(EmailAddress.init),
            emailVerified: members["verified"]?.bool == true, username: members["username"]?.string, name: members["name"]?.string,
            linkedAt: linkedAt)
        self.init(identity, runsMailbox: members["mailbox"]?.bool == true, returnPath: returnPath)
    }

    package var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "provider": .string(identity.provider), "iss": .string(identity.issuer), "sub": .string(identity.subject),
            "verified": .bool(identity.emailVerified), "mailbox": .bool(runsMailbox), "at": .integer(identity.linkedAt),
            "rd": .string(returnPath),
        ]
        members["email"] = identity.email.map { .string($0.text) }
        members["username"] = identity.username.map { .string($0) }
        members["name"] = identity.name.map { .string($0) }
        return members
    }
}

package typealias PendingCredential = Pending<ConflictingIdentity>

extension Pending where Payload == ConflictingIdentity {
    package var identity: LinkedIdentity { payload.identity }
    package var returnPath: String { payload.returnPath }

    /// The same value with the way back.
    package func leading(to path: String) -> PendingCredential {
        var leading = self
        leading.payload = ConflictingIdentity(identity, runsMailbox: payload.runsMailbox, returnPath: path)
        return leading
    }
}

/// The user of `previous` wanted to link an identity of the account: who signs in to the account in this browser owns both.
package struct BegunMerge: PendingPayload {
    package static let purpose = "merge"

    /// The uid of the account whose user wanted to link.
    package let previous: String

    package init(previous: String) { self.previous = previous }

    package init?(members: [String: JSONValue]) {
        guard let previous = members["previous"]?.string else { return nil }
        self.previous = previous
    }

    package var members: [String: JSONValue] { ["previous": .string(previous)] }
}

package typealias PendingMerge = Pending<BegunMerge>
