extension Translations {
    static let germanAccounts: [String: String] = [
        "Your password was changed. Sign in with the new one.":
            "Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an.",
        "Your e-mail address is confirmed. You can sign in now.":
            "Ihre E-Mail-Adresse ist bestätigt. Sie können sich jetzt anmelden.",
        "Your account was deleted.":
            "Ihr Konto wurde gelöscht.",
        "Continue without an account":
            "Ohne Konto fortfahren",
        "or":
            "oder",
        "Go to your account":
            "Zu Ihrem Konto",
        "Your e-mail address is confirmed":
            "Ihre E-Mail-Adresse ist bestätigt",
        "Your e-mail address was changed":
            "Ihre E-Mail-Adresse wurde geändert",
        "Your password was changed":
            "Ihr Passwort wurde geändert",
        "Your account was deleted":
            "Ihr Konto wurde gelöscht",
        "You can use it to sign in, and we can reach you there.":
            "Sie können sich damit anmelden, und wir können Sie dort erreichen.",
        "From now on, mails go to the new address. Your other sessions have ended.":
            "Von nun an gehen E-Mails an die neue Adresse. Ihre anderen Sitzungen sind beendet.",
        "Your other sessions have ended. Sign in there with the new password.":
            "Ihre anderen Sitzungen sind beendet. Melden Sie sich dort mit dem neuen Passwort an.",
        "Its ways to sign in and its sessions were deleted, too. The app may still hold data of its own about you.":
            "Auch seine Anmeldemöglichkeiten und Sitzungen wurden gelöscht. Die Anwendung kann noch eigene Daten über Sie haben.",
        "Delete your account?":
            "Ihr Konto löschen?",
        "The account, its ways to sign in and all its sessions are deleted at once. This cannot be undone.":
            "Das Konto, seine Anmeldemöglichkeiten und alle seine Sitzungen werden sofort gelöscht. Das lässt sich nicht rückgängig machen.",
        "The app may still hold data of its own about you.":
            "Die Anwendung kann noch eigene Daten über Sie haben.",
        "Delete the account for good":
            "Konto endgültig löschen",
        "Keep the account":
            "Konto behalten",
        "Send the confirmation mail again":
            "Bestätigungs-E-Mail noch einmal senden",
        "Added on {date}":
            "Hinzugefügt am {date}",
        "Remove":
            "Entfernen",
        "Link {provider}":
            "{provider} verknüpfen",
        "Remove {provider}":
            "{provider} entfernen",
        "New password":
            "Neues Passwort",
        "Change password":
            "Passwort ändern",
        "Set a password":
            "Passwort festlegen",
        "New e-mail address":
            "Neue E-Mail-Adresse",
        "Change address":
            "Adresse ändern",
        "Your other sessions end when the password changes.":
            "Ihre anderen Sitzungen enden, wenn sich das Passwort ändert.",
        "We send a link to the new address. The address changes when you open it, and your other sessions end.":
            "Wir senden einen Link an die neue Adresse. Die Adresse ändert sich, wenn Sie ihn öffnen, und Ihre anderen Sitzungen enden.",
        "Change your e-mail address":
            "E-Mail-Adresse ändern",
        "Manage second factors":
            "Zweite Faktoren verwalten",
        "Second factors":
            "Zweite Faktoren",
        "Last used on {date}":
            "Zuletzt verwendet am {date}",
        "Sessions":
            "Sitzungen",
        "Sign out everywhere else":
            "Überall sonst abmelden",
        "Delete account":
            "Konto löschen",
        "Name":
            "Name",
        "confirmed":
            "bestätigt",
        "not confirmed":
            "nicht bestätigt",
        "E-mail address":
            "E-Mail-Adresse",
        "You use this site without an account. Add a way to sign in, so that you can come back from another browser.":
            "Sie verwenden diese Website ohne Konto. Fügen Sie eine Anmeldemöglichkeit hinzu, damit Sie auch aus einem anderen Browser zurückkehren können.",
        "User ID":
            "Benutzer-ID",
        "This is your only way to sign in. Add another one before you remove it.":
            "Das ist Ihre einzige Anmeldemöglichkeit. Fügen Sie eine weitere hinzu, bevor Sie sie entfernen.",
        "Add a way to sign in":
            "Anmeldemöglichkeit hinzufügen",
        "Ways to sign in":
            "Anmeldemöglichkeiten",
        "E-mail and password":
            "E-Mail und Passwort",
        "You have no second factor. With one, a stolen password is not enough to sign in.":
            "Sie haben keinen zweiten Faktor. Mit einem zweiten Faktor reicht ein gestohlenes Passwort nicht für die Anmeldung.",
        "This session":
            "Diese Sitzung",
        "A page asks you for confirmation first.":
            "Vorher bittet eine Seite Sie um Bestätigung.",
        "Your account":
            "Ihr Konto",
        "To change your ways to sign in, your password or your address, sign in again first.":
            "Um Ihre Anmeldemöglichkeiten, Ihr Passwort oder Ihre Adresse zu ändern, melden Sie sich zuerst erneut an.",
        "The way to sign in was added.":
            "Die Anmeldemöglichkeit wurde hinzugefügt.",
        "The way to sign in was removed. Sessions that were made with it have ended.":
            "Die Anmeldemöglichkeit wurde entfernt. Sitzungen, die damit begonnen wurden, sind beendet.",
        "Your password was changed. Your other sessions have ended.":
            "Ihr Passwort wurde geändert. Ihre anderen Sitzungen sind beendet.",
        "Your e-mail address is confirmed.":
            "Ihre E-Mail-Adresse ist bestätigt.",
        "Your e-mail address was changed. Your other sessions have ended.":
            "Ihre E-Mail-Adresse wurde geändert. Ihre anderen Sitzungen sind beendet.",
        "The sessions have ended.":
            "Die Sitzungen sind beendet.",
        "You signed in again. You can make changes now.":
            "Sie haben sich erneut angemeldet. Sie können jetzt Änderungen vornehmen.",
        "You are signed in to the other account now.":
            "Sie sind jetzt bei dem anderen Konto angemeldet.",
        "The way to sign in could not be added. Nothing was changed.":
            "Die Anmeldemöglichkeit konnte nicht hinzugefügt werden. Es wurde nichts geändert.",
        "The address belongs to an account that is linked to another {provider} account.":
            "Die Adresse gehört zu einem Konto, das mit einem anderen Konto bei {provider} verknüpft ist.",
        "Sign in to that account in one of its ways, or ask the site's administrator.":
            "Melden Sie sich bei jenem Konto auf eine seiner Arten an oder wenden Sie sich an die Betreiber dieser Website.",
        "The address that {provider} sent belongs to an account, and {provider} is not linked to it.":
            "Die Adresse, die {provider} gesendet hat, gehört zu einem Konto, mit dem {provider} nicht verknüpft ist.",
        "An account with the address {email} exists, and {provider} is not linked to it.":
            "Es gibt schon ein Konto mit der Adresse {email}, und {provider} ist nicht damit verknüpft.",
        "Sign in to that account the way you usually do. You are then asked whether to link {provider} to it.":
            "Melden Sie sich bei diesem Konto wie gewohnt an. Danach werden Sie gefragt, ob {provider} damit verknüpft werden soll.",
        "Sign in to that account in one of its ways. You are then asked whether to link {provider} to it.":
            "Melden Sie sich bei diesem Konto auf eine seiner Arten an. Danach werden Sie gefragt, ob {provider} damit verknüpft werden soll.",
        "This works in this browser for {minutes} minutes. If you do not sign in, nothing changes.":
            "Das gilt in diesem Browser {minutes} Minuten lang. Wenn Sie sich nicht anmelden, ändert sich nichts.",
        "Link {provider} to your account?":
            "{provider} mit Ihrem Konto verknüpfen?",
        "A sign-in with {provider} in this browser met your account, because both have the same e-mail address.":
            "Eine Anmeldung mit {provider} in diesem Browser ist auf Ihr Konto gestoßen, weil beide dieselbe E-Mail-Adresse haben.",
        "A sign-in with {provider} as {name} in this browser met your account, because both have the same e-mail address.":
            "Eine Anmeldung mit {provider} als {name} in diesem Browser ist auf Ihr Konto gestoßen, weil beide dieselbe E-Mail-Adresse haben.",
        "{provider} has not confirmed that the address {email} belongs to that user.":
            "{provider} hat nicht bestätigt, dass die Adresse {email} diesem Benutzer gehört.",
        "If you link it, the user of that {provider} account can sign in to your account.":
            "Wenn Sie es verknüpfen, kann sich jeder, der dieses Konto bei {provider} hat, bei Ihrem Konto anmelden.",
        "Choose No if you did not sign in with {provider} yourself.":
            "Wählen Sie Nein, wenn Sie sich nicht selbst mit {provider} angemeldet haben.",
        "No, do not link":
            "Nein, nicht verknüpfen",
        "Yes, link":
            "Ja, verknüpfen",
        "{provider} is linked to another account of this site. Nothing was changed.":
            "{provider} ist mit einem anderen Konto dieser Website verknüpft. Es wurde nichts geändert.",
        "You can sign in to that account now. You then use that one instead of the one you are signed in to.":
            "Sie können sich jetzt bei jenem Konto anmelden. Sie verwenden dann jenes anstelle des Kontos, bei dem Sie angemeldet sind.",
        "Sign in to the other account":
            "Beim anderen Konto anmelden",
        "Keep using this account":
            "Dieses Konto weiter verwenden",
        "Cancel":
            "Abbrechen",
        "Confirm that it is you":
            "Bestätigen Sie, dass Sie es sind",
        "The next step is sensitive. Sign in again to the same account to continue.":
            "Der nächste Schritt ist heikel. Melden Sie sich erneut bei demselben Konto an, um fortzufahren.",
        "At least {count} characters. A few words that do not belong together are easy to remember.":
            "Mindestens {count} Zeichen. Einige Wörter, die nicht zusammengehören, lassen sich leicht merken.",
        "The e-mail address or the password is wrong.":
            "Die E-Mail-Adresse oder das Passwort ist falsch.",
        "There were too many attempts. Try again in a minute.":
            "Es gab zu viele Versuche. Versuchen Sie es in einer Minute noch einmal.",
        "There were too many attempts. Try again in {minutes} minutes.":
            "Es gab zu viele Versuche. Versuchen Sie es in {minutes} Minuten noch einmal.",
        "Enter a complete e-mail address, such as name@example.com.":
            "Geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel name@example.com.",
        "The password is too short. Use at least {count} characters.":
            "Das Passwort ist zu kurz. Verwenden Sie mindestens {count} Zeichen.",
        "The password is too long. Use at most 1,024 bytes.":
            "Das Passwort ist zu lang. Verwenden Sie höchstens 1.024 Bytes.",
        "Many people use this password, so it is easy to guess. Choose another one.":
            "Viele Menschen verwenden dieses Passwort, deshalb ist es leicht zu erraten. Wählen Sie ein anderes.",
        "Send the mail":
            "E-Mail senden",
        "Reset your password":
            "Passwort zurücksetzen",
        "Enter the e-mail address of your account. We send you a link to choose a new password.":
            "Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.",
        "Back to the sign-in":
            "Zurück zur Anmeldung",
        "Choose a new password":
            "Neues Passwort wählen",
        "The change ends your sessions on all devices.":
            "Die Änderung beendet Ihre Sitzungen auf allen Geräten.",
        "Confirm address":
            "Adresse bestätigen",
        "Does the address {email} belong to you?":
            "Gehört die Adresse {email} Ihnen?",
        "This confirms it for the account {account}. If that is not your account, do not confirm.":
            "Damit bestätigen Sie sie für das Konto {account}. Wenn das nicht Ihr Konto ist, bestätigen Sie nicht.",
        "This confirms it for the registration that was begun in this browser. If you did not begin it, do not confirm.":
            "Damit bestätigen Sie sie für die Registrierung, die in diesem Browser begonnen wurde. Wenn Sie sie nicht begonnen haben, bestätigen Sie nicht.",
        "To confirm the address {email}, enter the password of the account that it is for.":
            "Um die Adresse {email} zu bestätigen, geben Sie das Passwort des Kontos ein, für das sie bestimmt ist.",
        "To confirm the address {email}, sign in to the account that it is for.":
            "Um die Adresse {email} zu bestätigen, melden Sie sich bei dem Konto an, für das sie bestimmt ist.",
        "You are signed in to another account in this browser.":
            "In diesem Browser sind Sie bei einem anderen Konto angemeldet.",
        "Sign in another way":
            "Auf andere Weise anmelden",
        "I did not create this account":
            "Ich habe dieses Konto nicht erstellt",
        "I did not ask for this":
            "Ich habe das nicht angefordert",
        "If someone else created the account with your address, you can take it over. Its password, its other ways to sign in and its sessions are removed, and you choose a new password.":
            "Wenn jemand anderes das Konto mit Ihrer Adresse erstellt hat, können Sie es übernehmen. Sein Passwort, seine anderen Anmeldemöglichkeiten und seine Sitzungen werden entfernt, und Sie wählen ein neues Passwort.",
        "If you did not ask for this mail, you can make its link invalid. Nothing else changes.":
            "Wenn Sie diese E-Mail nicht angefordert haben, können Sie ihren Link ungültig machen. Sonst ändert sich nichts.",
        "The link of the mail does not work any more. Nothing else was changed.":
            "Der Link der E-Mail funktioniert nicht mehr. Sonst wurde nichts geändert.",
        "Confirm your e-mail address":
            "E-Mail-Adresse bestätigen",
        "Password":
            "Passwort",
        "Sign in with password":
            "Mit Passwort anmelden",
        "Forgot your password?":
            "Passwort vergessen?",
        "Create an account":
            "Konto erstellen",
        "You will get a mail with a link that confirms your address.":
            "Sie erhalten eine E-Mail mit einem Link, der Ihre Adresse bestätigt.",
        "Sign in instead":
            "Stattdessen anmelden",
        "No mail after a few minutes? Look in the spam folder, and check the address for typing errors.":
            "Nach einigen Minuten noch keine E-Mail? Sehen Sie im Spam-Ordner nach und prüfen Sie die Adresse auf Tippfehler.",
        "Check your mail":
            "Sehen Sie in Ihren E-Mails nach",
        "We sent you a mail. Open the link in it to continue.":
            "Wir haben Ihnen eine E-Mail gesendet. Öffnen Sie den Link darin, um fortzufahren.",
        "If the address belongs to an account, we sent a mail to it. Open the link in it to choose a new password.":
            "Wenn die Adresse zu einem Konto gehört, haben wir eine E-Mail dorthin gesendet. Öffnen Sie den Link darin, um ein neues Passwort zu wählen.",
        "We sent a mail to the new address. The address of your account changes when you open the link in it.":
            "Wir haben eine E-Mail an die neue Adresse gesendet. Die Adresse Ihres Kontos ändert sich, wenn Sie den Link darin öffnen.",
        "Not available on this site":
            "Auf dieser Website nicht verfügbar",
        "This site does not keep a list of sessions.":
            "Diese Website führt keine Liste der Sitzungen.",
        "To end the session of this browser, sign out.":
            "Um die Sitzung dieses Browsers zu beenden, melden Sie sich ab.",
        "This session does not exist":
            "Diese Sitzung gibt es nicht",
        "The session has ended already, or it is not one of yours. Nothing was changed.":
            "Die Sitzung ist bereits beendet, oder sie gehört nicht Ihnen. Es wurde nichts geändert.",
        "Open the list of your sessions again.":
            "Öffnen Sie die Liste Ihrer Sitzungen noch einmal.",
        "Unknown browser":
            "Unbekannter Browser",
    ]
}
