package import Decisions
import Pages

extension Answers {
    /// JSON, always: requests with tokens are no navigations.
    package func bearerProblem(_ problem: BearerProblem, requestID: RequestID) -> Answer {
        var answer = refusal(status: problem.status, code: problem.code, isPage: false, requestID: requestID)
        if let challenge = problem.challenge {
            answer.add("WWW-Authenticate", "Bearer realm=\"\(site.pageSite.name)\", error=\"\(challenge)\"")
        } else {
            answer.add("Retry-After", "10")
        }
        return answer
    }
}
