enum Version {
    /// Semantic Versioning 2.0.0; CHANGELOG.md names what each brings.
    static let current = "0.1.0"
}
