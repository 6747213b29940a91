extension SQLSchema {
    /// Version 2: the endings of sessions, attempt limits and ids that are used once.
    ///
    /// The numbers of endings come from a row of `counters`, not from a sequence: its lock makes the order of numbers the order of commits,
    /// so that no reader passes an ending that is committed later.
    static let endings = [
        """
        CREATE TABLE counters (
            name {key} NOT NULL,
            value BIGINT NOT NULL,
            CONSTRAINT counters_name PRIMARY KEY (name)
        )
        """,
        "INSERT INTO counters (name, value) VALUES ('endings', 0)",
        """
        CREATE TABLE endings (
            number BIGINT NOT NULL,
            uid TEXT NOT NULL,
            provider TEXT,
            before_time BIGINT NOT NULL,
            keep TEXT,
            CONSTRAINT endings_number PRIMARY KEY (number)
        )
        """,
        "CREATE INDEX endings_before_time ON endings (before_time)",
        """
        CREATE TABLE attempts (
            digest {bytes} NOT NULL,
            times {bytes} NOT NULL,
            expires_at BIGINT NOT NULL,
            CONSTRAINT attempts_digest PRIMARY KEY (digest)
        )
        """,
        "CREATE INDEX attempts_expires_at ON attempts (expires_at)",
        """
        CREATE TABLE used_ids (
            digest {bytes} NOT NULL,
            expires_at BIGINT NOT NULL,
            CONSTRAINT used_ids_digest PRIMARY KEY (digest)
        )
        """,
        "CREATE INDEX used_ids_expires_at ON used_ids (expires_at)",
    ]
}
