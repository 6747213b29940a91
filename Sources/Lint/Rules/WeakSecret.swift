import Config
import Diagnostics

extension Rule {
    static let weakSecret = Rule(
        .weakSecret, what: "A session key has fewer than 32 bytes or is one byte repeated, or a client secret has fewer than 8 characters.",
        why: "Whoever guesses a session key signs in as anyone.",
        instead: "`gateway keygen session` prints a fresh key; a provider's console makes a fresh client secret.",
        bad: Example("session: { keys: [\"«${env:SHORT_KEY}»\"] }\n"), good: Example("session: { keys: [\"${file:./session.key}\"] }\n"),
        check: { context in
            context.providers.compactMap { provider in
                guard let item = provider.object["clientSecret"], let text = item.text, text.unicodeScalars.count < 8,
                    !Placeholder.matches(text)
                else { return nil }
                return Diagnostic(
                    .weakSecret, at: item.referenceSpan, "this client secret has fewer than 8 characters", label: "can be guessed",
                    help: "make a new one in the provider's console")
            }
        })
}
