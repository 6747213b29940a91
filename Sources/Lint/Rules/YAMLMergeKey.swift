import Diagnostics

extension Rule {
    static let yamlMergeKey = Rule(
        .yamlMergeKey, what: "A mapping uses the merge key `<<`.",
        why:
            "Merge keys were a proposal for YAML 1.1 and are not part of YAML 1.2. What a merged mapping holds is hard to see, and a place in it is hard to report.",
        instead: "Write the keys out, or use an alias for a whole value.",
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
