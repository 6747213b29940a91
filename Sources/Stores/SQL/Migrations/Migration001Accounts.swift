extension SQLSchema {
    /// Version 1: accounts, identities and mail tokens.
    ///
    /// `address`: the compared form of `email`. `owned_address` equals it while `onePerEmail` holds, `password_address` while the account has
    /// a password: their uniqueness is the promise of the contract. `is_shadowed`: another account owns the address, since `onePerEmail`
    /// was switched on; the account counts as one without an address.
    static let accounts = [
        """
        CREATE TABLE accounts (
            uid {key} NOT NULL,
            email TEXT,
            address {key},
            owned_address {key},
            password_address {key},
            is_shadowed BIGINT NOT NULL,
            verified_by TEXT,
            name TEXT,
            picture TEXT,
            is_anonymous BIGINT NOT NULL,
            is_disabled BIGINT NOT NULL,
            created_at BIGINT NOT NULL,
            last_sign_in_at BIGINT,
            password_hash TEXT,
            revision BIGINT NOT NULL,
            CONSTRAINT accounts_uid PRIMARY KEY (uid),
            CONSTRAINT accounts_owned_address UNIQUE (owned_address),
            CONSTRAINT accounts_password_address UNIQUE (password_address)
        )
        """,
        "CREATE INDEX accounts_address ON accounts (address)",
        """
        CREATE TABLE identities (
            provider {key} NOT NULL,
            issuer {key} NOT NULL,
            subject {key} NOT NULL,
            uid {key} NOT NULL,
            position BIGINT NOT NULL,
            email TEXT,
            email_verified BIGINT NOT NULL,
            username TEXT,
            name TEXT,
            linked_at BIGINT NOT NULL,
            CONSTRAINT identities_identity PRIMARY KEY (provider, issuer, subject),
            CONSTRAINT identities_account_provider UNIQUE (uid, provider),
            CONSTRAINT identities_account FOREIGN KEY (uid) REFERENCES accounts (uid) ON DELETE CASCADE
        )
        """,
        """
        CREATE TABLE mail_tokens (
            digest {bytes} NOT NULL,
            uid {key} NOT NULL,
            purpose TEXT NOT NULL,
            email TEXT NOT NULL,
            expires_at BIGINT NOT NULL,
            CONSTRAINT mail_tokens_digest PRIMARY KEY (digest),
            CONSTRAINT mail_tokens_account FOREIGN KEY (uid) REFERENCES accounts (uid) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX mail_tokens_uid ON mail_tokens (uid)",
        "CREATE INDEX mail_tokens_expires_at ON mail_tokens (expires_at)",
    ]
}
