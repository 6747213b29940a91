import Telemetry
import Logging
import Access
import Decisions
import HTTPWire
import Primitives
import SignIn
import TokenCrypto

/// The fields of a request that changes an account: a form, or JSON with the same names.
struct AccountForm: Sendable {
    let isJSON: Bool
    /// What the endpoint answers to a refusal: a page, or JSON.
    let wantsPage: Bool
    private let fields: [String: String]
    /// The WebAuthn response: an object in JSON, the text of one in a form; nil without one.
    let credential: JSONValue?

    subscript(_ name: String) -> String? { fields[name] }

    /// Whether a checkbox is ticked. Browsers leave out one that is not; programs say `false`.
    func isTicked(_ name: String) -> Bool { fields[name].map { !["", "false", "off", "no", "0"].contains($0.lowercased()) } ?? false }

    init(isJSON: Bool, wantsPage: Bool, fields: [String: String], credential: JSONValue? = nil) {
        self.isJSON = isJSON
        self.wantsPage = wantsPage
        self.fields = fields
        self.credential = credential ?? fields["credential"].flatMap { try? JSONValue(parsing: $0) }
    }
}

extension SiteContext {
    /// Whether a request to change an account comes from a page of this site (contract section 8).
    ///
    /// A program must send `Origin`, too: nothing else tells its request from one that a foreign page makes. A browser's word that the
    /// page is foreign counts more than any other.
    func provesOwnPage(_ head: RequestHead) -> Bool {
        let origin = head.text(.origin)
        if let site = head.text(.secFetchSite) {
            return site == "same-origin" && (origin == nil || origin == publicURL?.text || origin == "null")
        }
        return origin != nil && origin == publicURL?.text
    }
}

extension Endpoints {
    /// Goes on with the fields of a request that changes an account. Refuses foreign pages, a body of another type, a repeated field and
    /// one that is no text. `flags`: fields that JSON may have as a Boolean.
    func collectAccountForm(
        _ request: EndpointRequest, flags: Set<String> = [], then action: @escaping (EndpointRequest, AccountForm) -> Void
    ) {
        guard site.provesOwnPage(request.head) else {
            log.write(
                .warning, "cross-site-request", "request refused: it does not come from a page of this site",
                [("request_id", .text(request.id.text))])
            return refuse(request, status: 403, code: "auth/cross-site-request", reason: "cross-site")
        }
        let type = request.head.text(.contentType)
        let wantsPage = answers.wantsPage(request.head)
        if type.map(MediaType.isJSON) == true {
            collectBody(request) { [self] request, body in
                guard let members = (try? JSONValue(parsing: body.isEmpty ? "{}" : body))?.object else {
                    return refuseBody(request, subject: "account")
                }
                var fields: [String: String] = [:]
                let credential = members["credential"]
                for (name, value) in members where name != "credential" || value.string != nil {
                    let flag = flags.contains(name) ? value.bool.map { $0 ? "true" : "false" } : nil
                    guard let text = value.string ?? flag else { return refuseBody(request, subject: "account") }
                    fields[name] = text
                }
                action(
                    request,
                    AccountForm(isJSON: true, wantsPage: false, fields: fields, credential: credential?.object == nil ? nil : credential))
            }
        } else if type == nil || type.map(MediaType.isForm) == true {
            collectBody(request) { [self] request, body in
                guard let given = FormCoding.fields(of: body), let fields = Self.unique(given) else {
                    return refuseBody(request, subject: "account")
                }
                // A program that sends no form and wants JSON gets the statuses of JSON.
                action(request, AccountForm(isJSON: type == nil && !wantsPage, wantsPage: wantsPage, fields: fields))
            }
        } else {
            refuse(request, status: 400, code: "auth/invalid-request", reason: "account-content-type")
        }
    }

    /// For an endpoint that the table offers only with accounts.
    func refuseWithoutAccounts(_ request: EndpointRequest) {
        refuse(request, status: 404, code: "proxy/not-found", reason: "no-accounts")
    }

    private static func unique(_ fields: [(name: String, value: String)]) -> [String: String]? {
        var unique: [String: String] = [:]
        for field in fields {
            guard unique.updateValue(field.value, forKey: field.name) == nil else { return nil }
        }
        return unique
    }

    /// The return path of a form's `rd`, else of the query's; `fallback` without one.
    func returnPath(_ request: EndpointRequest, _ form: AccountForm?, fallback: String = "/") -> String {
        let values = form?["rd"].map { [$0] } ?? (request.query ?? []).filter { $0.name == "rd" }.map(\.value)
        guard values.count == 1 else { return fallback }
        return site.returnPaths.validate(values[0]).text
    }

    /// A browser's navigation, or a form.
    func isPage(_ request: EndpointRequest) -> Bool { answers.wantsPage(request.head) }

    var accountPath: String { site.pathPrefix + "/account" }
}
