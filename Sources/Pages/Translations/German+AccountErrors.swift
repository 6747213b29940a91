extension Translations {
    static let germanAccountErrors: [String: String] = [
        "This link no longer works":
            "Dieser Link funktioniert nicht mehr",
        "The link from the mail has expired, or it was already used.":
            "Der Link aus der E-Mail ist abgelaufen oder wurde schon benutzt.",
        "Request a new mail and open the link in it.":
            "Fordern Sie eine neue E-Mail an und öffnen Sie den Link darin.",
        "Accounts are unavailable":
            "Konten sind gerade nicht verfügbar",
        "This site cannot reach its store of accounts.":
            "Diese Website erreicht ihren Kontenspeicher nicht.",
        "Try again in a minute. If you are signed in, you stay signed in.":
            "Versuchen Sie es in einer Minute noch einmal. Wenn Sie angemeldet sind, bleiben Sie es.",
        "This address is in use":
            "Diese Adresse wird schon verwendet",
        "The e-mail address at the provider belongs to another account of this site. Nothing was changed.":
            "Die E-Mail-Adresse beim Anbieter gehört zu einem anderen Konto dieser Website. Es wurde nichts geändert.",
        "Sign in to that account, or link an account with another address.":
            "Melden Sie sich bei jenem Konto an oder verknüpfen Sie ein Konto mit einer anderen Adresse.",
        "This address already has an account":
            "Zu dieser Adresse gibt es schon ein Konto",
        "The address that the provider sent belongs to an account that is not linked to this provider.":
            "Die Adresse, die der Anbieter gesendet hat, gehört zu einem Konto, das nicht mit diesem Anbieter verknüpft ist.",
        "Sign in to that account in one of its ways. You can then use the new one, too.":
            "Melden Sie sich bei jenem Konto auf eine seiner Arten an. Danach können Sie auch die neue verwenden.",
        "The e-mail address belongs to another account of this site.":
            "Die E-Mail-Adresse gehört zu einem anderen Konto dieser Website.",
        "Sign in to that account, or use another address.":
            "Melden Sie sich bei jenem Konto an oder verwenden Sie eine andere Adresse.",
        "This account is disabled":
            "Dieses Konto ist gesperrt",
        "An administrator disabled this account.":
            "Dieses Konto wurde durch die Betreiber gesperrt.",
        "If you think this is a mistake, ask the site's administrator.":
            "Wenn Sie das für einen Fehler halten, wenden Sie sich an die Betreiber dieser Website.",
        "There is no account for you yet":
            "Für Sie gibt es noch kein Konto",
        "New accounts are created by the site's administrator only.":
            "Neue Konten legen nur die Betreiber dieser Website an.",
        "Ask the site's administrator for an account, or sign in to one that you have.":
            "Bitten Sie die Betreiber dieser Website um ein Konto oder melden Sie sich bei einem Konto an, das Sie haben.",
        "This provider is already linked":
            "Dieser Anbieter ist schon verknüpft",
        "Your account is already linked to an account at this provider.":
            "Ihr Konto ist schon mit einem Konto bei diesem Anbieter verknüpft.",
        "To link another one, remove the first from your account.":
            "Um ein anderes zu verknüpfen, entfernen Sie zuerst das bisherige aus Ihrem Konto.",
        "Already linked to another account":
            "Schon mit einem anderen Konto verknüpft",
        "The account at the provider is linked to another account of this site. Nothing was changed.":
            "Das Konto beim Anbieter ist mit einem anderen Konto dieser Website verknüpft. Es wurde nichts geändert.",
        "Sign in to the other account, or link another one.":
            "Melden Sie sich bei dem anderen Konto an oder verknüpfen Sie ein anderes.",
        "This provider is not linked":
            "Dieser Anbieter ist nicht verknüpft",
        "Your account is not linked to this provider. Perhaps you removed it in another window.":
            "Ihr Konto ist nicht mit diesem Anbieter verknüpft. Vielleicht haben Sie ihn in einem anderen Fenster entfernt.",
        "Look up its ways to sign in on your account page.":
            "Sehen Sie auf Ihrer Kontoseite nach, welche Anmeldemöglichkeiten es gibt.",
        "Your only way to sign in stays":
            "Ihre einzige Anmeldemöglichkeit bleibt",
        "Without it, you could not sign in again. Nothing was changed.":
            "Ohne sie könnten Sie sich nicht mehr anmelden. Es wurde nichts geändert.",
        "Add another way to sign in before you remove this one.":
            "Fügen Sie eine andere Anmeldemöglichkeit hinzu, bevor Sie diese entfernen.",
        "This is a different account":
            "Das ist ein anderes Konto",
        "You signed in to another account than the one that you are using. Nothing was changed.":
            "Sie haben sich bei einem anderen Konto angemeldet als dem, das Sie gerade verwenden. Es wurde nichts geändert.",
        "Sign in again to the account that you are using.":
            "Melden Sie sich erneut bei dem Konto an, das Sie gerade verwenden.",
        "The sign-in failed":
            "Die Anmeldung ist fehlgeschlagen",
        "The e-mail address or the password is wrong, or the passkey was not accepted.":
            "Die E-Mail-Adresse oder das Passwort ist falsch, oder der Passkey wurde nicht angenommen.",
        "Check what you entered and try again. If you forgot the password, reset it.":
            "Prüfen Sie Ihre Eingabe und versuchen Sie es noch einmal. Wenn Sie das Passwort vergessen haben, setzen Sie es zurück.",
        "The password is too weak":
            "Das Passwort ist zu schwach",
        "The password is too short, too long or too common.":
            "Das Passwort ist zu kurz, zu lang oder zu verbreitet.",
        "Go back and choose another password.":
            "Gehen Sie zurück und wählen Sie ein anderes Passwort.",
        "Too many attempts":
            "Zu viele Versuche",
        "There were too many attempts for this address, or from your network.":
            "Es gab zu viele Versuche für diese Adresse oder aus Ihrem Netz.",
        "Wait some minutes, then try again.":
            "Warten Sie einige Minuten und versuchen Sie es dann noch einmal.",
        "Your e-mail address is not confirmed":
            "Ihre E-Mail-Adresse ist nicht bestätigt",
        "This step needs an account with a confirmed e-mail address.":
            "Für diesen Schritt braucht das Konto eine bestätigte E-Mail-Adresse.",
        "Open the link in the mail that we sent you. You can request a new one on your account page.":
            "Öffnen Sie den Link in der E-Mail, die wir Ihnen gesendet haben. Auf Ihrer Kontoseite können Sie eine neue anfordern.",
        "There is nothing to link":
            "Es gibt nichts zu verknüpfen",
        "The question has expired, or it was already answered.":
            "Die Frage ist abgelaufen, oder sie wurde schon beantwortet.",
        "To link a provider, sign in with it again, or add it on your account page.":
            "Um einen Anbieter zu verknüpfen, melden Sie sich noch einmal mit ihm an oder fügen Sie ihn auf Ihrer Kontoseite hinzu.",
    ]
}
