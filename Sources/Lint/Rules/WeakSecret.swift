import Config
import Diagnostics

extension Rule {
    static let weakSecret = Rule(
        .weakSecret, what: "A session key is shorter than 32 bytes or repeats one byte, or a client secret has fewer than 8 characters.",
        why: "An attacker who guesses a session key can sign in as any user.",
        instead: "Create a session key with `gateway keygen session`, and a client secret in the provider's console.",
        bad: Example("session: { keys: [\"«${env:SHORT_KEY}»\"] }\n"), good: Example("session: { keys: [\"${file:./session.key}\"] }\n"),
        check: { context in
            context.providers.compactMap { provider in
                guard let item = provider.object["clientSecret"], let text = item.text, text.unicodeScalars.count < 8,
                    !Placeholder.matches(text)
                else { return nil }
                return Diagnostic(
                    .weakSecret, at: item.referenceSpan, "this client secret has fewer than 8 characters", label: "can be guessed",
                    help: "create a new one in the provider's console")
            }
        })
}
