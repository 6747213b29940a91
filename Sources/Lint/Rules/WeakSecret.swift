import Config
import Diagnostics

extension Rule {
    static let weakSecret = Rule(
        .weakSecret,
        what:
            "A session or account key is shorter than 32 bytes or repeats one byte, a client secret has fewer than 8 characters, or the secret of a hook or the admin token fewer than 16.",
        why:
            "An attacker who guesses a session key can sign in as any user. With the secret of a hook, an attacker can forge its requests. With the admin token, an attacker can end everyone's sessions.",
        instead:
            "Create a session key with `gateway keygen session`, a client secret in the provider's console, and the secret of a hook or the admin token with `gateway keygen session`, too.",
        bad: Example("session: { keys: [\"«${env:SHORT_KEY}»\"] }\n"), good: Example("session: { keys: [\"${file:./session.key}\"] }\n"),
        check: { context in
            let hooks = context.hooks.compactMap { key, hook -> Diagnostic? in
                guard let item = hook["secret"], let text = item.text, text.unicodeScalars.count < 16, !Placeholder.matches(text) else {
                    return nil
                }
                return Diagnostic(
                    .weakSecret, at: item.referenceSpan, "the secret of `\(key)` has fewer than 16 characters", label: "can be guessed",
                    help: "create one with `gateway keygen session`, and give it to the endpoint too")
            }
            let admin = [context.root["admin"]?.object?["token"]].compactMap { item -> Diagnostic? in
                guard let item, let text = item.text, text.unicodeScalars.count < 16, !Placeholder.matches(text) else { return nil }
                return Diagnostic(
                    .weakSecret, at: item.referenceSpan, "`admin.token` has fewer than 16 characters", label: "can be guessed",
                    help: "create one with `gateway keygen session`")
            }
            return hooks + admin
                + context.providers.compactMap { provider in
                    guard let item = provider.object["clientSecret"], let text = item.text, text.unicodeScalars.count < 8,
                        !Placeholder.matches(text)
                    else { return nil }
                    return Diagnostic(
                        .weakSecret, at: item.referenceSpan, "this client secret has fewer than 8 characters", label: "can be guessed",
                        help: "create a new one in the provider's console")
                }
        })
}
