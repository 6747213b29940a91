extension SQLSchema {
    /// Version 3: messages to deliver at least once.
    static let outbox = [
        """
        CREATE TABLE outbox (
            id {key} NOT NULL,
            kind TEXT NOT NULL,
            payload TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            due_at BIGINT NOT NULL,
            attempts BIGINT NOT NULL,
            CONSTRAINT outbox_id PRIMARY KEY (id)
        )
        """,
        "CREATE INDEX outbox_due_at ON outbox (due_at)",
    ]
}
