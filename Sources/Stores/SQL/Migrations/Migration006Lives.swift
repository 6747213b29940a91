extension SQLSchema {
    /// Version 6: the endings of one account in order, and anonymous accounts by the age of their session.
    static let lives = [
        "CREATE INDEX endings_account ON endings (uid, provider, before_time)",
        "CREATE INDEX accounts_anonymous ON accounts ((COALESCE(last_sign_in_at, created_at))) WHERE is_anonymous = 1",
    ]
}
