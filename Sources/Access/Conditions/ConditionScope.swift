package import Conditions

/// The names that the conditions of a route may use, with their types (`docs/conditions.md`).
///
/// A scope belongs to one event loop: evaluations on several loops would count references to the same environment.
package struct ConditionScope: Sendable {
    package let environment: ConditionEnvironment
    /// The position of each captured segment, by the field of `path`.
    let captures: [PathTemplate.Part]

    /// `pattern`: nil without a path. `isSignedIn`: a user is signed in whenever a condition is evaluated.
    package init(_ pattern: RoutePattern?, isSignedIn: Bool = false) {
        let captures = pattern?.fixedCaptures ?? []
        self.captures = captures.map(\.part)
        environment = ConditionEnvironment(
            variables: [("auth", .object("auth")), ("request", .object("request")), ("path", .object("path"))],
            presentVariables: isSignedIn ? ["auth"] : [],
            objects: [
                ConditionAuth.type, Self.request, Self.clientCertificate, .init("path", captures.map { .init($0.name, .string) }),
            ])
    }

    /// The fields of `request`, in the order of `RequestField`.
    private static let request = ConditionEnvironment.ObjectType("request", RequestField.allCases.map(\.declaration))

    private static let clientCertificate = ConditionEnvironment.ObjectType(
        "clientCertificate", [.init("subject", .string), .init("sans", .list(.string)), .init("fingerprint", .string)])
}

/// The fields of `request`.
package enum RequestField: Int, CaseIterable, Sendable {
    case method, host, path, query, headers, scheme, address, time, id, clientCertificate

    fileprivate var declaration: ConditionEnvironment.Field {
        switch self {
        case .method, .host, .path, .scheme, .id: .init("\(self)", .string)
        case .query: .init("query", .map(.string, .list(.string)))
        case .headers: .init("headers", .map(.string, .string))
        // A client on a Unix socket has none.
        case .address: .init("address", .address, isOptional: true)
        case .time: .init("time", .timestamp)
        case .clientCertificate: .init("clientCertificate", .object("clientCertificate"))
        }
    }
}

extension RoutePattern {
    /// True if several `**` leave open which segments are captured, so that conditions cannot read the captures.
    package var hasAmbiguousCaptures: Bool { segments.count { $0 == .anyNumber } > 1 }

    package var captureNames: [String] {
        segments.compactMap { if case .capture(let name) = $0 { name } else { nil } }
    }

    fileprivate var fixedCaptures: [(name: String, part: PathTemplate.Part)] {
        captureNames.compactMap { name in (try? PathTemplate.place(of: name, self)).map { (name, $0) } }
    }
}
