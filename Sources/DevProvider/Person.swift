/// Somebody who can sign in at the local provider. Invented, every one.
package struct Person: Sendable, Equatable {
    /// How forms and the control surface name the user.
    package var id: String
    /// The `sub` claim: stable, opaque, never an address.
    package var subject: String
    /// The account number on the plain OAuth 2.0 side.
    package var number: Int64
    package var name: String
    package var username: String
    package var email: String?
    package var emailVerified: Bool
    package var groups: [String]
    /// What the sign-in page says beside the name.
    package var remark: String

    package init(
        id: String, subject: String, number: Int64, name: String, username: String, email: String?, emailVerified: Bool, groups: [String],
        remark: String
    ) {
        self.id = id
        self.subject = subject
        self.number = number
        self.name = name
        self.username = username
        self.email = email
        self.emailVerified = emailVerified
        self.groups = groups
        self.remark = remark
    }

    package static let alice = Person(
        id: "alice", subject: "a1c5e0d2-7f43", number: 1001, name: "Alice Adams", username: "alice", email: "alice@example.com",
        emailVerified: true, groups: ["admins", "staff"], remark: "admin")
    package static let bob = Person(
        id: "bob", subject: "b2d6f1e3-8054", number: 1002, name: "Bob Brown", username: "bob", email: "bob@example.com",
        emailVerified: true, groups: ["staff"], remark: "staff")
    package static let carol = Person(
        id: "carol", subject: "c3e702f4-9165", number: 1003, name: "Carol Clark", username: "carol", email: "carol@example.org",
        emailVerified: false, groups: [], remark: "unverified")
    package static let zoe = Person(
        id: "zoe", subject: "d4f81305-a276", number: 1004, name: "Zoë Žižková", username: "zoë", email: "zoe@example.com",
        emailVerified: true, groups: ["finance", "naïve, comma"], remark: "beyond ASCII")
    package static let erin = Person(
        id: "erin", subject: "e5092416-b387", number: 1005, name: "Erin Evans", username: "erin", email: nil, emailVerified: false,
        groups: ["staff"], remark: "staff")

    /// The people of every local provider.
    package static let demo = [alice, bob, carol, zoe, erin]

    /// Of `gateway demo` only: her account has an authenticator app.
    package static let grace = Person(
        id: "grace", subject: "f61a3527-c498", number: 1006, name: "Grace Green", username: "grace", email: "grace@example.com",
        emailVerified: true, groups: ["staff"], remark: "second factor")

    /// The same user at another provider, which knows them by another subject.
    package var elsewhere: Person {
        var person = self
        person.subject = "p-" + String(subject.reversed())
        person.number += 1_000
        return person
    }
}
