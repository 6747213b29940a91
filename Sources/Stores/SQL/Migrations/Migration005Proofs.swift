extension SQLSchema {
    /// Version 5: when an address was first proven, registrations that wait for a mail, and the functions of password hashes.
    ///
    /// `proven_at`: NULL also for proofs of earlier versions whose time nobody knows. What an operator vouches for was proven from the
    /// beginning, and what a provider vouches for when its identity was linked. `password_hash` of `mail_tokens`: what an anonymous account
    /// gets when the link is confirmed. `password_function`: the hash without its salt and its output.
    static let proofs = [
        "ALTER TABLE accounts ADD COLUMN proven_at BIGINT",
        "UPDATE accounts SET proven_at = created_at WHERE verified_by = 'operation'",
        """
        UPDATE accounts SET proven_at = (
            SELECT MIN(identities.linked_at) FROM identities
            WHERE identities.uid = accounts.uid AND identities.email_verified = 1 AND (
                accounts.verified_by {bytewise} = 'provider:' || identities.provider
                OR accounts.verified_by {bytewise} = 'mailbox:' || identities.provider))
        WHERE verified_by LIKE 'provider:%' OR verified_by LIKE 'mailbox:%'
        """,
        "ALTER TABLE mail_tokens ADD COLUMN password_hash TEXT",
        "ALTER TABLE accounts ADD COLUMN password_function {key}",
        """
        UPDATE accounts SET password_function = substr(
            password_hash, 2,
            {position}(password_hash, ',p=') + {position}(substr(password_hash, {position}(password_hash, ',p=') + 1), '$') - 2)
        WHERE password_hash LIKE '$%,p=%$%'
        """,
        "CREATE INDEX accounts_password_function ON accounts (password_function)",
    ]
}
