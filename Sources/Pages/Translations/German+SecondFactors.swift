extension Translations {
    static let germanSecondFactors: [String: String] = [
        "Confirm your sign-in":
            "Anmeldung bestätigen",
        "Enter the 6-digit code that your authenticator app shows for {site}.":
            "Geben Sie den 6-stelligen Code ein, den Ihre Authenticator-App für {site} anzeigt.",
        "Use the passkey or security key that you added to your account.":
            "Verwenden Sie den Passkey oder Sicherheitsschlüssel, den Sie Ihrem Konto hinzugefügt haben.",
        "Enter the 6-digit code that we sent to {phone}.":
            "Geben Sie den 6-stelligen Code ein, den wir an {phone} gesendet haben.",
        "We send a code to {phone}.":
            "Wir senden einen Code an {phone}.",
        "Enter one of your recovery codes. Each code works once.":
            "Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder Code funktioniert einmal.",
        "6-digit code":
            "6-stelliger Code",
        "Recovery code":
            "Wiederherstellungscode",
        "Send the message":
            "Nachricht senden",
        "Use passkey":
            "Passkey verwenden",
        "Confirm":
            "Bestätigen",
        "Send another message":
            "Noch eine Nachricht senden",
        "Do not ask again on this browser for {days} days":
            "In diesem Browser {days} Tage lang nicht mehr fragen",
        "If you cannot use any of your second factors, ask the site's administrator.":
            "Wenn Sie keinen Ihrer zweiten Faktoren verwenden können, wenden Sie sich an die Betreiber dieser Website.",
        "Authenticator app":
            "Authenticator-App",
        "Passkey or security key":
            "Passkey oder Sicherheitsschlüssel",
        "Text message":
            "SMS",
        "Recovery codes":
            "Wiederherstellungscodes",
        "No passkey was added. Try again, or add another kind of second factor.":
            "Es wurde kein Passkey hinzugefügt. Versuchen Sie es noch einmal oder fügen Sie einen zweiten Faktor anderer Art hinzu.",
        "The passkey was not used. Try again, or use another second factor.":
            "Der Passkey wurde nicht verwendet. Versuchen Sie es noch einmal oder verwenden Sie einen anderen zweiten Faktor.",
        "Passkeys need JavaScript and a browser that supports them. Add another kind of second factor, or use another browser.":
            "Passkeys brauchen JavaScript und einen Browser, der sie unterstützt. Fügen Sie einen zweiten Faktor anderer Art hinzu oder verwenden Sie einen anderen Browser.",
        "Passkeys need JavaScript and a browser that supports them. Use another second factor, or use another browser.":
            "Passkeys brauchen JavaScript und einen Browser, der sie unterstützt. Verwenden Sie einen anderen zweiten Faktor oder einen anderen Browser.",
        "Sign in with a passkey":
            "Mit Passkey anmelden",
        "The passkey was not used. Try again, or sign in another way.":
            "Der Passkey wurde nicht verwendet. Versuchen Sie es noch einmal oder melden Sie sich auf andere Weise an.",
        "Passkeys need JavaScript and a browser that supports them. Sign in another way, or use another browser.":
            "Passkeys brauchen JavaScript und einen Browser, der sie unterstützt. Melden Sie sich auf andere Weise an oder verwenden Sie einen anderen Browser.",
        "The passkey was not accepted. Try again, or sign in another way.":
            "Der Passkey wurde nicht angenommen. Versuchen Sie es noch einmal oder melden Sie sich auf andere Weise an.",
        "This passkey is already a second factor of your account.":
            "Dieser Passkey ist schon ein zweiter Faktor Ihres Kontos.",
        "With a second factor, a stolen password is not enough to sign in.":
            "Mit einem zweiten Faktor reicht ein gestohlenes Passwort nicht für die Anmeldung.",
        "The second factor was added.":
            "Der zweite Faktor wurde hinzugefügt.",
        "The second factor was removed.":
            "Der zweite Faktor wurde entfernt.",
        "This site requires a second factor. Add one to continue.":
            "Diese Website verlangt einen zweiten Faktor. Fügen Sie einen hinzu, um fortzufahren.",
        "To add or remove second factors, sign in again first.":
            "Um zweite Faktoren hinzuzufügen oder zu entfernen, melden Sie sich zuerst erneut an.",
        "To add a second factor, confirm your e-mail address first.":
            "Um einen zweiten Faktor hinzuzufügen, bestätigen Sie zuerst Ihre E-Mail-Adresse.",
        "You use this site without an account. Add a way to sign in before you add a second factor.":
            "Sie verwenden diese Website ohne Konto. Fügen Sie eine Anmeldemöglichkeit hinzu, bevor Sie einen zweiten Faktor hinzufügen.",
        "Continue":
            "Weiter",
        "If you remove your last other second factor, the recovery codes are removed, too.":
            "Wenn Sie Ihren letzten anderen zweiten Faktor entfernen, werden auch die Wiederherstellungscodes entfernt.",
        "Codes left: {count}":
            "Verbleibende Codes: {count}",
        "An app on your phone or computer shows a new code every 30 seconds.":
            "Eine App auf Ihrem Telefon oder Computer zeigt alle 30 Sekunden einen neuen Code.",
        "Set up an authenticator app":
            "Authenticator-App einrichten",
        "Your device asks for your fingerprint, your face or a PIN, or you touch a security key.":
            "Ihr Gerät fragt nach Fingerabdruck, Gesicht oder PIN, oder Sie berühren einen Sicherheitsschlüssel.",
        "Add a passkey":
            "Passkey hinzufügen",
        "Phone number":
            "Telefonnummer",
        "We send a code to your phone when you sign in.":
            "Wir senden bei der Anmeldung einen Code an Ihr Telefon.",
        "Ten codes that work once each, for when you cannot use your other second factors.":
            "Zehn Codes, die je einmal funktionieren, falls Sie Ihre anderen zweiten Faktoren nicht verwenden können.",
        "You can create them after you add another second factor.":
            "Sie können sie erstellen, nachdem Sie einen anderen zweiten Faktor hinzugefügt haben.",
        "New codes replace the ones that you have.":
            "Neue Codes ersetzen die, die Sie haben.",
        "Create new recovery codes":
            "Neue Wiederherstellungscodes erstellen",
        "Create recovery codes":
            "Wiederherstellungscodes erstellen",
        "Name (optional)":
            "Name (freiwillig)",
        "Add a second factor":
            "Zweiten Faktor hinzufügen",
        "With the country code, such as +12025550123.":
            "Mit der Landesvorwahl, zum Beispiel +12025550123.",
        "Scan this QR code with an authenticator app.":
            "Scannen Sie diesen QR-Code mit einer Authenticator-App.",
        "Then enter the code that the app shows.":
            "Geben Sie dann den Code ein, den die App anzeigt.",
        "QR code with the secret":
            "QR-Code mit dem Geheimnis",
        "Enter this secret in an authenticator app:":
            "Geben Sie dieses Geheimnis in einer Authenticator-App ein:",
        "Or enter this secret in the app:":
            "Oder geben Sie dieses Geheimnis in der App ein:",
        "Open in an authenticator app":
            "In einer Authenticator-App öffnen",
        "Add the app":
            "App hinzufügen",
        "Confirm your phone number":
            "Telefonnummer bestätigen",
        "Your browser asks you to create a passkey or to use a security key.":
            "Ihr Browser bittet Sie, einen Passkey zu erstellen oder einen Sicherheitsschlüssel zu verwenden.",
        "Create passkey":
            "Passkey erstellen",
        "The codes that you had before no longer work.":
            "Die Codes, die Sie vorher hatten, funktionieren nicht mehr.",
        "Your recovery codes":
            "Ihre Wiederherstellungscodes",
        "Each code works once, when you cannot use your other second factors.":
            "Jeder Code funktioniert einmal, wenn Sie Ihre anderen zweiten Faktoren nicht verwenden können.",
        "Print this page, or store the codes in a password manager. They are not shown again.":
            "Drucken Sie diese Seite oder speichern Sie die Codes in einem Passwortmanager. Sie werden nicht noch einmal angezeigt.",
        "I have stored them":
            "Ich habe sie aufbewahrt",
        "The code is wrong, or it was already used. Enter the current one.":
            "Der Code ist falsch oder wurde schon verwendet. Geben Sie den aktuellen ein.",
        "The passkey was not accepted. Try again, or use another second factor.":
            "Der Passkey wurde nicht angenommen. Versuchen Sie es noch einmal oder verwenden Sie einen anderen zweiten Faktor.",
        "The code has expired. Enter a new one.":
            "Der Code ist abgelaufen. Geben Sie einen neuen ein.",
        "Too many text messages were requested. You can request another one in a minute.":
            "Es wurden zu viele Nachrichten angefordert. In einer Minute können Sie eine weitere anfordern.",
        "Too many text messages were requested. You can request another one in {minutes} minutes.":
            "Es wurden zu viele Nachrichten angefordert. In {minutes} Minuten können Sie eine weitere anfordern.",
        "Enter the number with its country code, such as +12025550123.":
            "Geben Sie die Nummer mit der Landesvorwahl ein, zum Beispiel +12025550123.",
        "This second factor is already in use. Add another one.":
            "Dieser zweite Faktor wird schon verwendet. Fügen Sie einen anderen hinzu.",
        "Your account has as many second factors as it can have. Remove one before you add another.":
            "Ihr Konto hat schon so viele zweite Faktoren wie möglich. Entfernen Sie einen, bevor Sie einen weiteren hinzufügen.",
        "This step needs a second factor besides your sign-in.":
            "Dieser Schritt verlangt außer der Anmeldung einen zweiten Faktor.",
        "Continue with your second factor.":
            "Fahren Sie mit Ihrem zweiten Faktor fort.",
        "The code is wrong":
            "Der Code ist falsch",
        "The code is wrong, or it was already used.":
            "Der Code ist falsch oder wurde schon verwendet.",
        "Go back and enter the current code.":
            "Gehen Sie zurück und geben Sie den aktuellen Code ein.",
        "The code has expired":
            "Der Code ist abgelaufen",
        "The code is too old, or the step that it belongs to has ended.":
            "Der Code ist zu alt, oder der Vorgang, zu dem er gehört, ist beendet.",
        "Sign in again and enter a new code.":
            "Melden Sie sich erneut an und geben Sie einen neuen Code ein.",
        "This second factor is already in use":
            "Dieser zweite Faktor wird schon verwendet",
        "It is already a second factor of an account on this site. Nothing was changed.":
            "Er ist schon ein zweiter Faktor eines Kontos dieser Website. Es wurde nichts geändert.",
        "Add another second factor.":
            "Fügen Sie einen anderen zweiten Faktor hinzu.",
        "Too many second factors":
            "Zu viele zweite Faktoren",
        "Your account has as many second factors as it can have.":
            "Ihr Konto hat schon so viele zweite Faktoren wie möglich.",
        "Remove one before you add another.":
            "Entfernen Sie einen, bevor Sie einen weiteren hinzufügen.",
        "This second factor does not exist":
            "Diesen zweiten Faktor gibt es nicht",
        "Your account has no such second factor. Perhaps you removed it in another window.":
            "Ihr Konto hat keinen solchen zweiten Faktor. Vielleicht haben Sie ihn in einem anderen Fenster entfernt.",
        "Look up your second factors on your account page.":
            "Sehen Sie Ihre zweiten Faktoren auf Ihrer Kontoseite nach.",
        "Add a way to sign in first":
            "Fügen Sie zuerst eine Anmeldemöglichkeit hinzu",
        "An account without a way to sign in cannot have second factors.":
            "Ein Konto ohne Anmeldemöglichkeit kann keine zweiten Faktoren haben.",
        "Add a way to sign in on your account page.":
            "Fügen Sie auf Ihrer Kontoseite eine Anmeldemöglichkeit hinzu.",
        "This phone number cannot be used":
            "Diese Telefonnummer kann nicht verwendet werden",
        "The phone number is incomplete, or it has no country code.":
            "Die Telefonnummer ist unvollständig oder hat keine Landesvorwahl.",
        "Go back and enter the number with its country code.":
            "Gehen Sie zurück und geben Sie die Nummer mit der Landesvorwahl ein.",
        "This is not available":
            "Das ist nicht verfügbar",
        "This site does not offer this kind of second factor, or your account does not allow this.":
            "Diese Website bietet zweite Faktoren dieser Art nicht an, oder Ihr Konto erlaubt das nicht.",
        "Look at your account page for what you can do.":
            "Sehen Sie auf Ihrer Kontoseite nach, was möglich ist.",
        "A second factor was added to your account at {site}":
            "Ihrem Konto bei {site} wurde ein zweiter Faktor hinzugefügt",
        "Your account at {site} has a new second factor: {factor}.":
            "Ihr Konto bei {site} hat einen neuen zweiten Faktor: {factor}.",
        "If it was not you, remove it now, and check the ways to sign in of your account.":
            "Wenn Sie das nicht waren, entfernen Sie ihn sofort und prüfen Sie die Anmeldemöglichkeiten Ihres Kontos.",
        "A second factor was removed from your account at {site}":
            "Ein zweiter Faktor Ihres Kontos bei {site} wurde entfernt",
        "Your account at {site} no longer has this second factor: {factor}.":
            "Ihr Konto bei {site} hat diesen zweiten Faktor nicht mehr: {factor}.",
    ]
}
