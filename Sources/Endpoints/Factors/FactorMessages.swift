import Accounts
import Backchannel
import Decisions
import Logging
import Pages
import SecondFactors
import Telemetry
import TokenCrypto

/// Text messages with codes: what was sent, and what was not. `SecondFactorService` counts them.
extension AccountSignIn {
    /// Runs what counts a message. A limit that refuses it is an event.
    func countingMessages<Value>(
        of uid: String, _ work: () async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        do throws(AccountError) {
            return try await work()
        } catch {
            if error.code == .tooManyRequests {
                reportMessage(.notice, "message-limited", "text message not sent: a limit was reached", uid, error.reason)
            }
            throw error
        }
    }

    /// Sends a code by the operator's endpoint.
    func send(_ code: MessageCode, _ message: CountedMessage, of uid: String, _ factors: SecondFactorContext) async throws(AccountError) {
        guard let messages = factors.settings.messages else {
            throw AccountError(.operationNotAllowed, reason: "secondFactor.phone is not configured")
        }
        let text = CodeMessage(code: code.text, siteName: site.pageSite.name).text(in: language)
        do throws(HookClient.Failure) {
            try await messages.send(code, message, text: text)
        } catch {
            reportMessage(.error, "message-failed", "text message not sent", uid, error.reason)
            throw AccountError(.storeUnavailable, reason: "the endpoint of secondFactor.phone failed: \(error.reason)")
        }
        reportMessage(.info, "message-sent", "text message sent", uid, nil)
    }

    private func reportMessage(_ level: Logger.Level, _ event: String, _ message: String, _ uid: String, _ reason: String?) {
        context.log.write(
            level, event, message,
            (reason.map { [("reason", .text($0))] } ?? []) + [("uid", .text(uid)), ("request_id", .text(requestID.text))])
    }
}
