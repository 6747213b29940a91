import Diagnostics

extension Rule {
    static let yamlMergeKey = Rule(
        .yamlMergeKey, what: "A mapping uses the merge key `<<`.",
        why:
            "Merge keys were proposed for YAML 1.1 and are not part of YAML 1.2. They hide what a mapping contains and make errors hard to locate.",
        instead: "Write out the keys, or use an alias for a whole value.",
        bad: Example(
            """
            x-common: &common { access: public }
            routes:
              - path: /health
                «<<»: *common
            """),
        good: Example(
            """
            routes:
              - path: /health
                access: public
            """))
}
