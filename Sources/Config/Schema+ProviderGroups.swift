extension Schema {
    /// What is done with the groups that a provider names, before a session keeps them.
    static let providerGroups: [Key] = [
        Key(
            "keep", .list(of: .scalar(.text)), example: "[\"eng-*\", admins]",
            "Which groups a session keeps, by the provider's names; `*` stands for any text. Absent: all of them."),
        Key(
            "rename", .map(of: .scalar(.text), keys: "the provider's names"), example: "{ 8f1c2d3e: admins }",
            "Names of your own for groups of the provider, compared byte for byte. What is renamed is kept."),
    ]
}
