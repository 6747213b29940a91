extension Schema {
    /// The filters for a provider's groups, applied before they are stored in a session.
    static let providerGroups: [Key] = [
        Key(
            "keep", .list(of: .scalar(.text)), example: "[\"eng-*\", admins]",
            "The groups to keep, by the provider's names. `*` matches any text. Default: all groups."),
        Key(
            "rename", .map(of: .scalar(.text), keys: "the provider's names"), example: "{ 8f1c2d3e: admins }",
            "New names for the provider's groups, compared byte for byte. Renamed groups are always kept."),
    ]
}
