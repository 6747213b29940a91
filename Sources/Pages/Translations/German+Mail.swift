extension Translations {
    static let germanMail: [String: String] = [
        "Confirm your e-mail address for {site}":
            "Bestätigen Sie Ihre E-Mail-Adresse für {site}",
        "Someone created an account at {site} with this address. If it was you, confirm the address.":
            "Mit dieser Adresse wurde ein Konto bei {site} erstellt. Wenn Sie es waren, bestätigen Sie die Adresse.",
        "If it was not you, open the link and say so there, or ignore this mail.":
            "Wenn Sie es nicht waren, öffnen Sie den Link und geben Sie es dort an, oder ignorieren Sie diese E-Mail.",
        "Reset your password for {site}":
            "Setzen Sie Ihr Passwort für {site} zurück",
        "Someone asked to reset the password of your account at {site}. If it was you, choose a new password.":
            "Für Ihr Konto bei {site} wurde ein neues Passwort angefordert. Wenn Sie es waren, wählen Sie ein neues Passwort.",
        "If it was not you, ignore this mail. Your password stays as it is.":
            "Wenn Sie es nicht waren, ignorieren Sie diese E-Mail. Ihr Passwort bleibt, wie es ist.",
        "Confirm your new e-mail address for {site}":
            "Bestätigen Sie Ihre neue E-Mail-Adresse für {site}",
        "Someone asked to use this address for an account at {site}. If it was you, confirm the address.":
            "Diese Adresse soll für ein Konto bei {site} verwendet werden. Wenn Sie das möchten, bestätigen Sie die Adresse.",
        "If it was not you, ignore this mail. The account keeps its address.":
            "Wenn Sie es nicht waren, ignorieren Sie diese E-Mail. Das Konto behält seine Adresse.",
        "Your e-mail address at {site} was changed":
            "Ihre E-Mail-Adresse bei {site} wurde geändert",
        "Your account at {site} now has the address {new}. Mails about it no longer go to this address.":
            "Ihr Konto bei {site} hat jetzt die Adresse {new}. E-Mails dazu gehen nicht mehr an diese Adresse.",
        "If it was not you, check the ways to sign in of your account, and tell the site's administrator.":
            "Wenn Sie es nicht waren, prüfen Sie die Anmeldemöglichkeiten Ihres Kontos und informieren Sie die Betreiber der Website.",
        "Your password for {site} was changed":
            "Ihr Passwort für {site} wurde geändert",
        "The password of your account at {site} was changed. Your other sessions have ended.":
            "Das Passwort Ihres Kontos bei {site} wurde geändert. Ihre anderen Sitzungen sind beendet.",
        "If it was not you, reset your password now. Then check the ways to sign in of your account.":
            "Wenn Sie es nicht waren, setzen Sie Ihr Passwort jetzt zurück. Prüfen Sie danach die Anmeldemöglichkeiten Ihres Kontos.",
        "A way to sign in was added to your account at {site}":
            "Ihr Konto bei {site} hat eine neue Anmeldemöglichkeit",
        "You can now sign in to your account at {site} with {provider}.":
            "Sie können sich jetzt mit {provider} bei Ihrem Konto bei {site} anmelden.",
        "If it was not you, remove it from your account now.":
            "Wenn Sie es nicht waren, entfernen Sie sie jetzt aus Ihrem Konto.",
        "You already have an account at {site}":
            "Sie haben schon ein Konto bei {site}",
        "Someone tried to create an account at {site} with this address. It already has one, so you can sign in as usual.":
            "Mit dieser Adresse sollte ein Konto bei {site} erstellt werden. Es gibt aber schon eines, Sie können sich also wie gewohnt anmelden.",
        "If you forgot your password, you can reset it there. If it was not you, ignore this mail.":
            "Wenn Sie Ihr Passwort vergessen haben, können Sie es dort zurücksetzen. Wenn Sie es nicht waren, ignorieren Sie diese E-Mail.",
        "The link works once, within {minutes} minutes.":
            "Der Link funktioniert einmal, innerhalb von {minutes} Minuten.",
        "This mail was sent to {email} because of an action at {site}.":
            "Diese E-Mail wurde wegen eines Vorgangs bei {site} an {email} gesendet.",
        "{code} is your code for {site}. It works for 5 minutes. Do not give it to anybody.":
            "{code} ist Ihr Code für {site}. Er gilt 5 Minuten. Geben Sie ihn niemandem.",
    ]
}
