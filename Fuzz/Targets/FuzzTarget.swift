/// One parser of hostile bytes with what must hold whatever the bytes are.
///
/// The fuzzer (`scripts/fuzz`) looks for bytes that break it; `CorpusReplayTests` runs every file of `Fuzz/Corpus`
/// through the same functions. A parser that crashes breaks it too.
package enum FuzzTarget: String, CaseIterable, Sendable {
    case requestHead = "request-head"
    case responseHead = "response-head"
    case body
    case path
    case returnPath = "return-path"
    case cookies
    case forwarded
    case json
    case jose
    case configuration
    case proxyProtocol = "proxy-protocol"
    case rewrite
    case numbers
    case template
    case email
    case webAuthn = "webauthn"
    case conditions
    case question

    /// What the bytes break, in words; nil when everything holds.
    package func broken(by bytes: [UInt8]) -> String? {
        do throws(Broken) {
            switch self {
            case .requestHead: try RequestHeadTarget.check(bytes)
            case .responseHead: try ResponseHeadTarget.check(bytes)
            case .body: try BodyTarget.check(bytes)
            case .path: try PathTarget.check(bytes)
            case .returnPath: try ReturnPathTarget.check(bytes)
            case .cookies: try CookieTarget.check(bytes)
            case .forwarded: try ForwardedTarget.check(bytes)
            case .json: try JSONTarget.check(bytes)
            case .jose: try JOSETarget.check(bytes)
            case .configuration: try ConfigurationTarget.check(bytes)
            case .proxyProtocol: try ProxyProtocolTarget.check(bytes)
            case .rewrite: try RewriteTarget.check(bytes)
            case .numbers: try NumbersTarget.check(bytes)
            case .template: try TemplateTarget.check(bytes)
            case .email: try EmailTarget.check(bytes)
            case .webAuthn: try WebAuthnTarget.check(bytes)
            case .conditions: try ConditionsTarget.check(bytes)
            case .question: try QuestionTarget.check(bytes)
            }
            return nil
        } catch {
            return error.reason
        }
    }
}

/// An invariant does not hold.
struct Broken: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Refuses to go on unless `condition` holds.
func hold(_ condition: Bool, _ reason: @autoclosure () -> String) throws(Broken) {
    if !condition { throw Broken(reason()) }
}
