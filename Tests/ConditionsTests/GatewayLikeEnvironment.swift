import Primitives

@testable import Conditions

/// An environment as the gateway declares one, with objects, optional fields and maps.
enum Sample {
    static let environment = ConditionEnvironment(
        variables: [
            ("auth", .object("auth")), ("request", .object("request")), ("path", .map(.string, .string)), ("count", .int),
            ("anything", .dynamic),
        ],
        objects: [
            .init(
                "auth",
                [
                    .init("uid", .string), .init("groups", .list(.string)), .init("email", .string, isOptional: true),
                    .init("emailVerified", .bool), .init("time", .timestamp), .init("token", .map(.string, .dynamic)),
                ]),
            .init(
                "request",
                [
                    .init("method", .string), .init("query", .map(.string, .list(.string))), .init("headers", .map(.string, .string)),
                    .init("address", .address), .init("time", .timestamp), .init("clientCertificate", .object("certificate")),
                ]),
            .init("certificate", [.init("subject", .string)]),
        ],
        functions: [
            ConditionFunction("double", isMethod: true, [.string], .string) { (values) throws(ConditionReason) in
                guard case .string(let text) = values[0] else { throw .invalidValue("not a string") }
                return .string(text + text)
            }
        ])

    static let bindings: [ConditionValue?] = [
        .object(
            Fields(
                "auth",
                [
                    .string("ada"), .list([.string("admins"), .string("staff")]), nil, .bool(true),
                    ConditionTimestamp("2026-11-26T10:00:00Z").map(ConditionValue.timestamp),
                    .map(ConditionMap(strings: [("department", .string("sales")), ("level", .double(3))])),
                ])),
        .object(
            Fields(
                "request",
                [
                    .string("GET"), .map(ConditionMap(strings: [("a", .list([.string("1"), .string("2")]))])),
                    .map(ConditionMap(strings: [("x-team", .string("Blue"))])), NetworkAddress("::ffff:10.1.2.3").map { .address($0) },
                    ConditionTimestamp("2026-11-26T23:30:00Z").map(ConditionValue.timestamp), .null,
                ])),
        .map(ConditionMap(strings: [("user", .string("ada"))])),
        .int(7),
        nil,
    ]

    /// The value of an expression that is checked, over the values above.
    static func value(_ text: String, budget: Int = Condition.budget) throws -> ConditionValue {
        try Condition(text, in: environment, expecting: nil).evaluate(bindings, budget: budget)
    }

    /// The reason why an evaluation fails; nil when it has a value.
    static func failure(_ text: String, budget: Int = Condition.budget) throws -> ConditionFailure? {
        let condition = try Condition(text, in: environment, expecting: nil)
        do {
            _ = try condition.evaluate(bindings, budget: budget)
            return nil
        } catch {
            return error
        }
    }

    /// The problems of an expression; empty when it is accepted.
    static func problems(_ text: String, expecting expected: ConditionType? = .bool) -> [ConditionProblem] {
        do {
            _ = try Condition(text, in: environment, expecting: expected)
            return []
        } catch {
            return error.problems
        }
    }

    final class Fields: ConditionObject {
        let typeName: String
        private let values: [ConditionValue?]

        init(_ typeName: String, _ values: [ConditionValue?]) {
            self.typeName = typeName
            self.values = values
        }

        func field(at index: Int) -> ConditionValue? { values[index] }
    }
}
