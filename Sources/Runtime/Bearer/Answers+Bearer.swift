import Decisions
import Pages

extension Answers {
    /// JSON, always: what brings a token is no person's navigation.
    func bearerProblem(_ problem: BearerProblem, requestID: RequestID) -> Answer {
        var answer = refusal(status: problem.status, code: problem.code, isPage: false, requestID: requestID)
        if let challenge = problem.challenge {
            answer.add("WWW-Authenticate", "Bearer realm=\"\(snapshot.pageSite.name)\", error=\"\(challenge)\"")
        } else {
            answer.add("Retry-After", "10")
        }
        return answer
    }
}
