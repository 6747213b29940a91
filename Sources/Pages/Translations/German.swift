extension Translations {
    static let german: [String: String] = [
        "You do not have access to this page":
            "Sie haben keinen Zugriff auf diese Seite",
        "You are signed in, but your account is not allowed to open this page.":
            "Sie sind angemeldet, aber Ihr Konto darf diese Seite nicht öffnen.",
        "Use another account, or ask the site's administrator for access.":
            "Verwenden Sie ein anderes Konto oder bitten Sie die Betreiber dieser Website um Zugriff.",
        "Please sign in":
            "Bitte melden Sie sich an",
        "You need to sign in to open this page.":
            "Um diese Seite zu öffnen, müssen Sie sich anmelden.",
        "After you sign in, you return to this page.":
            "Nach der Anmeldung kehren Sie hierher zurück.",
        "Please sign in again":
            "Bitte melden Sie sich erneut an",
        "A stronger sign-in is required":
            "Eine stärkere Anmeldung ist erforderlich",
        "This page requires a stronger sign-in than the one you made.":
            "Diese Seite verlangt eine stärkere Anmeldung als die, mit der Sie angemeldet sind.",
        "Sign in again with a stronger method, such as a security key.":
            "Melden Sie sich erneut an, und zwar mit einem stärkeren Verfahren, zum Beispiel mit einem Sicherheitsschlüssel.",
        "This page requires a recent sign-in, and your last one is too old.":
            "Diese Seite verlangt eine kürzliche Anmeldung, und Ihre letzte liegt zu lange zurück.",
        "Sign in again to continue.":
            "Melden Sie sich erneut an, um fortzufahren.",
        "Your session has ended":
            "Ihre Sitzung ist beendet",
        "A request from another site was blocked":
            "Eine Anfrage von einer anderen Website wurde blockiert",
        "A page of another site, or a program, tried to change something here with your session. Nothing was changed.":
            "Eine Seite einer anderen Website oder ein Programm wollte hier mit Ihrer Sitzung etwas ändern. Es wurde nichts geändert.",
        "If you intended this, open this site and repeat the step there.":
            "Wenn Sie das beabsichtigt haben, öffnen Sie diese Website und wiederholen Sie den Schritt dort.",
        "You were inactive for too long, or you signed out in another window.":
            "Sie waren zu lange inaktiv oder haben sich in einem anderen Fenster abgemeldet.",
        "Sign in again to continue where you left off.":
            "Melden Sie sich erneut an, um dort weiterzumachen, wo Sie waren.",
        "A second factor is required":
            "Ein zweiter Faktor ist erforderlich",
        "This page requires a second factor, and you signed in without one.":
            "Diese Seite verlangt einen zweiten Faktor, und Sie haben sich ohne angemeldet.",
        "Sign in again and confirm with your second factor.":
            "Melden Sie sich erneut an und bestätigen Sie mit Ihrem zweiten Faktor.",
        "The sign-in was not allowed":
            "Die Anmeldung wurde nicht erlaubt",
        "The provider refused the sign-in, or it was cancelled there.":
            "Der Anbieter hat die Anmeldung abgelehnt, oder sie wurde dort abgebrochen.",
        "If you cancelled by mistake, sign in again. Otherwise your account may not have access.":
            "Wenn Sie aus Versehen abgebrochen haben, melden Sie sich erneut an. Sonst hat Ihr Konto vielleicht keinen Zugriff.",
        "The sign-in could not be completed":
            "Die Anmeldung konnte nicht abgeschlossen werden",
        "The sign-in was started in another browser, or its cookie is missing.":
            "Die Anmeldung wurde in einem anderen Browser begonnen, oder ihr Cookie fehlt.",
        "Sign in again. If this happens again, allow cookies for this site.":
            "Melden Sie sich erneut an. Wenn das wieder geschieht, erlauben Sie Cookies für diese Website.",
        "The sign-in took too long, or it was already completed.":
            "Die Anmeldung hat zu lange gedauert oder war schon abgeschlossen.",
        "Sign in again.":
            "Melden Sie sich erneut an.",
        "The response came from a different provider than the one you chose, so it was rejected.":
            "Die Antwort kam von einem anderen Anbieter als dem gewählten und wurde deshalb abgelehnt.",
        "Sign in again. If this happens again, tell the site's administrator.":
            "Melden Sie sich erneut an. Wenn das wieder geschieht, informieren Sie die Betreiber dieser Website.",
        "The provider needs your input":
            "Der Anbieter braucht eine Eingabe von Ihnen",
        "The provider could not sign you in without showing you a page.":
            "Der Anbieter konnte Sie nicht anmelden, ohne Ihnen eine Seite zu zeigen.",
        "Sign in again and follow the provider's instructions.":
            "Melden Sie sich erneut an und folgen Sie den Anweisungen des Anbieters.",
        "The provider's response was incomplete or contradictory.":
            "Die Antwort des Anbieters war unvollständig oder widersprüchlich.",
        "This link does not work":
            "Dieser Link funktioniert nicht",
        "A part of the address is missing, repeated or not allowed.":
            "Ein Teil der Adresse fehlt, kommt doppelt vor oder ist nicht erlaubt.",
        "Go to the start page and try from there.":
            "Gehen Sie zur Startseite und versuchen Sie es von dort aus.",
        "This form has expired":
            "Dieses Formular ist abgelaufen",
        "The form was opened too long ago, or it belongs to another session. Nothing was changed.":
            "Das Formular wurde vor zu langer Zeit geöffnet oder gehört zu einer anderen Sitzung. Es wurde nichts geändert.",
        "Open the page again and repeat the step.":
            "Öffnen Sie die Seite neu und wiederholen Sie den Schritt.",
        "Unknown provider":
            "Unbekannter Anbieter",
        "The provider in this address is not configured on this site, or it is disabled.":
            "Der Anbieter in dieser Adresse ist auf dieser Website nicht eingerichtet oder deaktiviert.",
        "Choose one of the providers of this site.":
            "Wählen Sie einen der Anbieter dieser Website.",
        "The provider could not sign you in":
            "Der Anbieter konnte Sie nicht anmelden",
        "The provider returned an error.":
            "Der Anbieter hat einen Fehler gemeldet.",
        "Try again in a moment. If it still fails, tell the site's administrator.":
            "Versuchen Sie es gleich noch einmal. Wenn es weiterhin nicht geht, informieren Sie die Betreiber dieser Website.",
        "The provider's response failed verification":
            "Die Antwort des Anbieters hat die Prüfung nicht bestanden",
        "The information that the provider sent about you failed a security check, so it was rejected.":
            "Die Angaben des Anbieters zu Ihrer Person haben eine Sicherheitsprüfung nicht bestanden und wurden abgelehnt.",
        "Try again. If it still fails, tell the site's administrator.":
            "Versuchen Sie es noch einmal. Wenn es weiterhin nicht geht, informieren Sie die Betreiber dieser Website.",
        "The provider confirmed the sign-in, but this site cannot use its response.":
            "Der Anbieter hat die Anmeldung bestätigt, aber diese Website kann seine Antwort nicht verwenden.",
        "The provider did not send usable information about your account.":
            "Der Anbieter hat keine verwendbaren Angaben zu Ihrem Konto gesendet.",
        "Two responses of the provider name different accounts, so both were rejected.":
            "Zwei Antworten des Anbieters nennen verschiedene Konten und wurden deshalb abgelehnt.",
        "The provider cannot be reached":
            "Der Anbieter ist nicht erreichbar",
        "This site could not connect to the provider.":
            "Diese Website konnte keine Verbindung zum Anbieter herstellen.",
        "Try again in a minute. Your account is not affected.":
            "Versuchen Sie es in einer Minute noch einmal. Ihr Konto ist nicht betroffen.",
        "The provider takes too long":
            "Der Anbieter braucht zu lange",
        "The provider did not respond in time.":
            "Der Anbieter hat nicht rechtzeitig geantwortet.",
        "Sessions are unavailable":
            "Sitzungen sind gerade nicht verfügbar",
        "The sign-out failed":
            "Die Abmeldung ist fehlgeschlagen",
        "This site could not record that you signed out.":
            "Diese Website konnte Ihre Abmeldung nicht speichern.",
        "Try again in a minute. On a shared computer, close the browser.":
            "Versuchen Sie es in einer Minute noch einmal. Schließen Sie an einem gemeinsam genutzten Computer den Browser.",
        "This site cannot reach its session store.":
            "Diese Website erreicht ihren Sitzungsspeicher nicht.",
        "Try again in a minute. You have not been signed out.":
            "Versuchen Sie es in einer Minute noch einmal. Sie wurden nicht abgemeldet.",
        "The token was rejected":
            "Das Token wurde abgelehnt",
        "The token is malformed, expired, issued for another site, or of a type that is not accepted here.":
            "Das Token ist fehlerhaft, abgelaufen, für eine andere Website ausgestellt oder von einem Typ, der hier nicht angenommen wird.",
        "Get a new token for this site and send it in the Authorization header.":
            "Holen Sie ein neues Token für diese Website und senden Sie es im Authorization-Header.",
        "The token lacks a scope":
            "Dem Token fehlt ein Scope",
        "The token is valid, but it lacks a scope that is required here.":
            "Das Token ist gültig, aber ihm fehlt ein Scope, der hier erforderlich ist.",
        "Ask the provider for a token with the scopes of this API.":
            "Fordern Sie beim Anbieter ein Token mit den Scopes dieser API an.",
        "The logout token was rejected":
            "Das Logout-Token wurde abgelehnt",
        "The logout token is malformed, expired, already used or issued for another site.":
            "Das Logout-Token ist fehlerhaft, abgelaufen, schon benutzt oder für eine andere Website ausgestellt.",
        "Send a new logout token.":
            "Senden Sie ein neues Logout-Token.",
        "The request was not understood":
            "Die Anfrage wurde nicht verstanden",
        "Your browser or program sent a request that this site does not accept.":
            "Ihr Browser oder Programm hat eine Anfrage gesendet, die diese Website nicht annimmt.",
        "Check the address, or go to the start page.":
            "Prüfen Sie die Adresse oder gehen Sie zur Startseite.",
        "The app cannot be reached":
            "Die Anwendung ist nicht erreichbar",
        "The app behind this page did not send a usable response.":
            "Die Anwendung hinter dieser Seite hat keine verwendbare Antwort gesendet.",
        "Try again in a minute. If it still fails, tell the site's administrator.":
            "Versuchen Sie es in einer Minute noch einmal. Wenn es weiterhin nicht geht, informieren Sie die Betreiber dieser Website.",
        "Something went wrong":
            "Etwas ist schiefgegangen",
        "An internal error occurred in the gateway. You did not cause it.":
            "Im Gateway ist ein interner Fehler aufgetreten. An Ihnen lag es nicht.",
        "The rules of this site do not allow this request.":
            "Die Regeln dieser Website erlauben diese Anfrage nicht.",
        "If you need access, ask the site's administrator.":
            "Wenn Sie Zugriff brauchen, wenden Sie sich an die Betreiber dieser Website.",
        "This page is not allowed to connect":
            "Diese Seite darf keine Verbindung herstellen",
        "A page of another site tried to connect here with your session. The connection was refused.":
            "Eine Seite einer anderen Website wollte sich mit Ihrer Sitzung hier verbinden. Die Verbindung wurde abgelehnt.",
        "If the page is yours, serve it from this site's address.":
            "Wenn die Seite von Ihnen stammt, liefern Sie sie von der Adresse dieser Website aus.",
        "Page not found":
            "Seite nicht gefunden",
        "There is no page at this address.":
            "Unter dieser Adresse gibt es keine Seite.",
        "Check the address for typing errors, or go to the start page.":
            "Prüfen Sie die Adresse auf Tippfehler oder gehen Sie zur Startseite.",
        "This request is not allowed here":
            "Diese Anfrage ist hier nicht erlaubt",
        "This address does not accept this kind of request.":
            "Diese Adresse nimmt Anfragen dieser Art nicht an.",
        "Go back and use the links or buttons of the page.":
            "Gehen Sie zurück und benutzen Sie die Links oder Schaltflächen der Seite.",
        "The request took too long to arrive":
            "Die Anfrage kam nicht rechtzeitig an",
        "Your browser or program did not finish sending the request in time.":
            "Ihr Browser oder Programm hat die Anfrage nicht rechtzeitig fertig gesendet.",
        "Check your connection and try again.":
            "Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
        "The request is too large":
            "Die Anfrage ist zu groß",
        "You sent more data than this site accepts.":
            "Sie haben mehr Daten gesendet, als diese Website annimmt.",
        "Send less data, or ask the site's administrator to raise the limit.":
            "Senden Sie weniger Daten oder bitten Sie die Betreiber dieser Website, die Grenze anzuheben.",
        "The address is too long":
            "Die Adresse ist zu lang",
        "The address is longer than this site accepts.":
            "Die Adresse ist länger, als diese Website annimmt.",
        "Your program expects a feature that this site does not offer.":
            "Ihr Programm erwartet eine Funktion, die diese Website nicht anbietet.",
        "Send the request without the Expect header.":
            "Senden Sie die Anfrage ohne den Header Expect.",
        "Wrong host name":
            "Falscher Hostname",
        "The host name in the address does not belong to this site.":
            "Der Hostname in der Adresse gehört nicht zu dieser Website.",
        "Check the address for typing errors.":
            "Prüfen Sie die Adresse auf Tippfehler.",
        "Too many requests":
            "Zu viele Anfragen",
        "There were too many requests in a short time.":
            "Es kamen zu viele Anfragen in kurzer Zeit.",
        "Wait a minute, then try again.":
            "Warten Sie eine Minute und versuchen Sie es dann noch einmal.",
        "The headers of the request are too large":
            "Die Header der Anfrage sind zu groß",
        "Your browser sent larger headers than this site accepts. Old cookies are the usual cause.":
            "Ihr Browser hat größere Header gesendet, als diese Website annimmt. Meist liegt das an alten Cookies.",
        "Delete the cookies of this site and try again.":
            "Löschen Sie die Cookies dieser Website und versuchen Sie es noch einmal.",
        "This request is not supported":
            "Diese Anfrage wird nicht unterstützt",
        "The request uses a feature that this site does not support.":
            "Die Anfrage benutzt eine Funktion, die diese Website nicht unterstützt.",
        "Temporarily unavailable":
            "Vorübergehend nicht verfügbar",
        "This site records sign-ins and access, and it cannot write that record right now.":
            "Diese Website protokolliert Anmeldungen und Zugriffe und kann das Protokoll gerade nicht schreiben.",
        "The site is busy or restarting":
            "Die Website ist ausgelastet oder startet neu",
        "The site cannot process the request right now.":
            "Die Website kann die Anfrage gerade nicht bearbeiten.",
        "Try again in a minute.":
            "Versuchen Sie es in einer Minute noch einmal.",
        "The app is busy":
            "Die Anwendung ist ausgelastet",
        "The app behind this page is handling as many requests as it can.":
            "Die Anwendung hinter dieser Seite bearbeitet bereits so viele Anfragen, wie sie kann.",
        "The app takes too long":
            "Die Anwendung braucht zu lange",
        "The app behind this page did not respond in time. It may still be processing your request.":
            "Die Anwendung hinter dieser Seite hat nicht rechtzeitig geantwortet. Vielleicht bearbeitet sie Ihre Anfrage noch.",
        "Wait a minute before you try again.":
            "Warten Sie eine Minute, bevor Sie es noch einmal versuchen.",
        "Your program uses an HTTP version that this site does not support.":
            "Ihr Programm verwendet eine HTTP-Version, die diese Website nicht unterstützt.",
        "Use HTTP/1.1 or HTTP/2.":
            "Verwenden Sie HTTP/1.1 oder HTTP/2.",
        "The request went in a loop":
            "Die Anfrage lief in einer Schleife",
        "The request came back to the gateway, because the app's address points to the gateway.":
            "Die Anfrage kam zum Gateway zurück, weil die Adresse der Anwendung auf das Gateway zeigt.",
        "Tell the site's administrator that an upstream points to the gateway itself.":
            "Informieren Sie die Betreiber dieser Website, dass ein Upstream auf das Gateway selbst zeigt.",
        "Sign in":
            "Anmelden",
        "to continue to {site}":
            "weiter zu {site}",
        "Sign in with {provider}":
            "Mit {provider} anmelden",
        "Last used":
            "Zuletzt verwendet",
        "No provider is enabled on this site. Please tell the site's administrator.":
            "Auf dieser Website ist kein Anbieter aktiviert. Bitte informieren Sie die Betreiber.",
        "Your session has ended. Sign in to continue where you left off.":
            "Ihre Sitzung ist beendet. Melden Sie sich an, um dort weiterzumachen, wo Sie waren.",
        "This page requires a recent sign-in. Please sign in again.":
            "Diese Seite verlangt eine kürzliche Anmeldung. Bitte melden Sie sich erneut an.",
        "The sign-in took too long, or it was already used. Please sign in again.":
            "Die Anmeldung hat zu lange gedauert oder wurde schon benutzt. Bitte melden Sie sich erneut an.",
        "This provider cannot be reached right now. Try again in a moment, or choose another provider.":
            "Dieser Anbieter ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal oder wählen Sie einen anderen.",
        "Your entries were not sent. Sign in first. Then go back to the form with the browser's Back button and send it again.":
            "Ihre Eingaben wurden nicht gesendet. Melden Sie sich zuerst an. Kehren Sie dann mit der Zurück-Taste des Browsers zum Formular zurück und senden Sie es noch einmal.",
        "Sign out?":
            "Abmelden?",
        "Sign out":
            "Abmelden",
        "You are signed in.":
            "Sie sind angemeldet.",
        "You are signed in as {name}.":
            "Sie sind als {name} angemeldet.",
        "Stay signed in":
            "Angemeldet bleiben",
        "You are signed out":
            "Sie sind abgemeldet",
        "You are not signed in":
            "Sie sind nicht angemeldet",
        "Your session has ended.":
            "Ihre Sitzung ist beendet.",
        "You may still be signed in to {provider}. On a shared computer, sign out there too.":
            "Bei {provider} sind Sie vielleicht noch angemeldet. Melden Sie sich an einem gemeinsam genutzten Computer auch dort ab.",
        "There is no session to end.":
            "Es gibt keine Sitzung, die beendet werden könnte.",
        "Sign in again":
            "Erneut anmelden",
        "Use another account":
            "Anderes Konto verwenden",
        "Try again":
            "Noch einmal versuchen",
        "Go to the start page":
            "Zur Startseite",
        "Code":
            "Code",
        "Status":
            "Status",
        "Request ID":
            "Anfrage-ID",
        "Provider":
            "Anbieter",
        "If you ask for help, include the code and the request ID above.":
            "Wenn Sie um Hilfe bitten, geben Sie den Code und die Anfrage-ID oben an.",
        "Help":
            "Hilfe",
        "Privacy":
            "Datenschutz",
        "Signed in as":
            "Angemeldet als",
        "By this site's clock, the provider's response expired {seconds} seconds ago. The clock may be wrong.":
            "Nach der Uhr dieser Website ist die Antwort des Anbieters vor {seconds} Sekunden abgelaufen. Vielleicht geht die Uhr falsch.",
        "By this site's clock, the provider's response is {seconds} seconds old. The clock may be wrong.":
            "Nach der Uhr dieser Website ist die Antwort des Anbieters {seconds} Sekunden alt. Vielleicht geht die Uhr falsch.",
        "By this site's clock, the provider's response is from {seconds} seconds in the future. The clock may be wrong.":
            "Nach der Uhr dieser Website liegt die Antwort des Anbieters {seconds} Sekunden in der Zukunft. Vielleicht geht die Uhr falsch.",
        "This way of signing in does not work here":
            "Diese Art der Anmeldung funktioniert hier nicht",
        "Your browser or program tried to sign in to the app with NTLM or Negotiate, which need a connection of their own. It uses HTTP/2, or a proxy shares its connection among users.":
            "Ihr Browser oder Programm hat versucht, sich bei der App mit NTLM oder Negotiate anzumelden. Beides braucht eine eigene Verbindung. Die Anfrage kam aber über HTTP/2, oder ein Proxy teilt seine Verbindung unter mehreren Nutzern auf.",
        "Use HTTP/1.1 without a proxy in between, or tell the site's administrator.":
            "Verwenden Sie HTTP/1.1 ohne einen Proxy dazwischen, oder informieren Sie die Betreiber dieser Website.",
    ]
}
