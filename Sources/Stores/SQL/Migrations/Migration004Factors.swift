extension SQLSchema {
    /// Version 4: second factors, recovery codes and message codes.
    ///
    /// `last_step` belongs to `totp`; the columns from `credential_id` on to `webauthn`. A credential belongs to one account (WebAuthn
    /// section 7.1 step 22).
    static let factors = [
        """
        CREATE TABLE factors (
            id {key} NOT NULL,
            uid {key} NOT NULL,
            position BIGINT NOT NULL,
            type TEXT NOT NULL,
            display_name TEXT,
            enrolled_at BIGINT NOT NULL,
            secret {bytes},
            last_step BIGINT,
            credential_id {bytes},
            public_key {bytes},
            counter BIGINT,
            transports TEXT,
            CONSTRAINT factors_id PRIMARY KEY (id),
            CONSTRAINT factors_credential UNIQUE (credential_id),
            CONSTRAINT factors_account FOREIGN KEY (uid) REFERENCES accounts (uid) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX factors_uid ON factors (uid)",
        """
        CREATE TABLE recovery_codes (
            digest {bytes} NOT NULL,
            factor {key} NOT NULL,
            CONSTRAINT recovery_codes_digest PRIMARY KEY (factor, digest),
            CONSTRAINT recovery_codes_factor FOREIGN KEY (factor) REFERENCES factors (id) ON DELETE CASCADE
        )
        """,
        """
        CREATE TABLE message_codes (
            challenge {bytes} NOT NULL,
            uid {key} NOT NULL,
            code {bytes} NOT NULL,
            expires_at BIGINT NOT NULL,
            CONSTRAINT message_codes_challenge PRIMARY KEY (challenge),
            CONSTRAINT message_codes_account FOREIGN KEY (uid) REFERENCES accounts (uid) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX message_codes_uid ON message_codes (uid)",
        "CREATE INDEX message_codes_expires_at ON message_codes (expires_at)",
    ]
}
