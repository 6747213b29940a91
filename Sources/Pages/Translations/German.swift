extension Translations {
    static let german: [String: String] = [
        "This page is not open to you":
            "Diese Seite ist für Sie nicht freigegeben",
        "You are signed in, but your account is not on the list for this page.":
            "Sie sind angemeldet, aber Ihr Konto steht nicht auf der Liste für diese Seite.",
        "If you have another account, use that one. Otherwise ask the people who run this site for access.":
            "Wenn Sie ein anderes Konto haben, nehmen Sie dieses. Sonst bitten Sie die Betreiber dieser Seite um Zugang.",
        "Please sign in":
            "Bitte melden Sie sich an",
        "This page is for people who are signed in.":
            "Diese Seite ist für angemeldete Personen.",
        "Sign in, and you will come straight back.":
            "Melden Sie sich an, dann kommen Sie gleich hierher zurück.",
        "Please sign in once more":
            "Bitte melden Sie sich noch einmal an",
        "This page asks for a recent sign-in, and yours was a while ago.":
            "Diese Seite verlangt eine frische Anmeldung, und Ihre liegt schon eine Weile zurück.",
        "Sign in again to go on. Nothing else has changed.":
            "Melden Sie sich erneut an, um fortzufahren. Sonst hat sich nichts geändert.",
        "Your session has ended":
            "Ihre Sitzung ist beendet",
        "This did not come from here":
            "Das kam nicht von hier",
        "Another site's page, or a program, tried to change something here with your session. Nothing was changed.":
            "Eine fremde Seite oder ein Programm wollte hier mit Ihrer Sitzung etwas ändern. Es wurde nichts geändert.",
        "If it was you, open this site and repeat the step there.":
            "Wenn Sie es waren, öffnen Sie diese Seite und wiederholen Sie den Schritt dort.",
        "You were away for a while, or signed out in another window.":
            "Sie waren eine Weile weg oder haben sich in einem anderen Fenster abgemeldet.",
        "Sign in again to go on where you were.":
            "Melden Sie sich erneut an, um dort weiterzumachen, wo Sie waren.",
        "One more step is needed":
            "Ein Schritt fehlt noch",
        "This page asks for a sign-in with a second factor, and yours had none.":
            "Diese Seite verlangt eine Anmeldung mit zweitem Faktor, und Ihre hatte keinen.",
        "Sign in again and confirm with your second factor.":
            "Melden Sie sich erneut an und bestätigen Sie mit Ihrem zweiten Faktor.",
        "The sign-in was not allowed":
            "Die Anmeldung wurde nicht erlaubt",
        "The provider did not let this sign-in through, or it was cancelled there.":
            "Der Anbieter hat diese Anmeldung nicht zugelassen, oder sie wurde dort abgebrochen.",
        "If you cancelled by mistake, sign in again. If not, your account may lack access.":
            "Wenn Sie aus Versehen abgebrochen haben, melden Sie sich erneut an. Sonst fehlt Ihrem Konto vielleicht der Zugang.",
        "This sign-in cannot be finished":
            "Diese Anmeldung lässt sich nicht abschließen",
        "It was not started in this browser, or its cookie is gone.":
            "Sie wurde nicht in diesem Browser begonnen, oder ihr Cookie ist verschwunden.",
        "Start again from here. If it keeps happening, allow cookies for this site.":
            "Beginnen Sie hier von vorn. Wenn es wieder geschieht, erlauben Sie Cookies für diese Seite.",
        "It took too long, or it was finished already.":
            "Sie hat zu lange gedauert oder war schon abgeschlossen.",
        "Start again from here.":
            "Beginnen Sie hier von vorn.",
        "The answer came from another provider than the one you went to, so it was not accepted.":
            "Die Antwort kam von einem anderen Anbieter als dem, zu dem Sie gegangen sind, und wurde deshalb nicht angenommen.",
        "Start again from here. If it happens again, tell the people who run this site.":
            "Beginnen Sie hier von vorn. Wenn es wieder geschieht, sagen Sie es den Betreibern dieser Seite.",
        "The provider wants to ask you something":
            "Der Anbieter möchte Sie etwas fragen",
        "The provider could not sign you in without showing you a page of its own.":
            "Der Anbieter konnte Sie nicht anmelden, ohne Ihnen eine eigene Seite zu zeigen.",
        "Sign in again and follow what the provider asks.":
            "Melden Sie sich erneut an und folgen Sie dem, was der Anbieter fragt.",
        "The answer that came back from the provider was incomplete or contradictory.":
            "Die Antwort des Anbieters war unvollständig oder widersprüchlich.",
        "That link does not work":
            "Dieser Link funktioniert nicht",
        "Something in the address is missing, doubled or not allowed.":
            "Etwas in der Adresse fehlt, steht doppelt da oder ist nicht erlaubt.",
        "Go to the start page and try from there.":
            "Gehen Sie zur Startseite und versuchen Sie es von dort.",
        "That form is out of date":
            "Dieses Formular ist veraltet",
        "The page you sent was opened too long ago or belongs to another session. Nothing was changed.":
            "Die abgeschickte Seite wurde vor zu langer Zeit geöffnet oder gehört zu einer anderen Sitzung. Es wurde nichts geändert.",
        "Open the page again and repeat the step.":
            "Öffnen Sie die Seite neu und wiederholen Sie den Schritt.",
        "There is no such sign-in here":
            "Diese Anmeldung gibt es hier nicht",
        "The provider in this address is not set up on this site, or is switched off.":
            "Der Anbieter in dieser Adresse ist auf dieser Seite nicht eingerichtet oder abgeschaltet.",
        "Choose one of the ways to sign in that this site offers.":
            "Wählen Sie eine der Anmeldungen, die diese Seite anbietet.",
        "The provider could not sign you in":
            "Der Anbieter konnte Sie nicht anmelden",
        "The provider answered with an error of its own.":
            "Der Anbieter hat mit einem eigenen Fehler geantwortet.",
        "Try again in a moment. If it stays like this, the people who run this site need to look at it.":
            "Versuchen Sie es gleich noch einmal. Wenn es so bleibt, müssen die Betreiber dieser Seite nachsehen.",
        "The provider's answer did not check out":
            "Die Antwort des Anbieters hat die Prüfung nicht bestanden",
        "What the provider said about you failed a security check, so it was not accepted.":
            "Was der Anbieter über Sie sagte, hat eine Sicherheitsprüfung nicht bestanden und wurde nicht angenommen.",
        "Try again. If it stays like this, the people who run this site need to look at it.":
            "Versuchen Sie es noch einmal. Wenn es so bleibt, müssen die Betreiber dieser Seite nachsehen.",
        "The provider confirmed the sign-in in a form that this site cannot use.":
            "Der Anbieter hat die Anmeldung in einer Form bestätigt, die diese Seite nicht verwenden kann.",
        "The provider did not say in a usable form who you are.":
            "Der Anbieter hat nicht in brauchbarer Form gesagt, wer Sie sind.",
        "Two answers of the provider were about different people, so neither was accepted.":
            "Zwei Antworten des Anbieters betrafen verschiedene Personen, deshalb wurde keine angenommen.",
        "The provider cannot be reached":
            "Der Anbieter ist nicht erreichbar",
        "This site could not talk to the provider that signs you in.":
            "Diese Seite konnte nicht mit dem Anbieter sprechen, der Sie anmeldet.",
        "Try again in a minute. Your account is fine.":
            "Versuchen Sie es in einer Minute noch einmal. Mit Ihrem Konto ist alles in Ordnung.",
        "The provider takes too long":
            "Der Anbieter braucht zu lange",
        "The provider that signs you in did not answer in time.":
            "Der Anbieter, der Sie anmeldet, hat nicht rechtzeitig geantwortet.",
        "Sessions are not available":
            "Sitzungen sind gerade nicht verfügbar",
        "The sign-out did not work":
            "Die Abmeldung hat nicht funktioniert",
        "This site could not record that you signed out.":
            "Diese Seite konnte nicht festhalten, dass Sie sich abgemeldet haben.",
        "Try again in a minute. On a shared computer, close the browser in any case.":
            "Versuchen Sie es in einer Minute noch einmal. Schließen Sie an einem gemeinsam genutzten Computer auf jeden Fall den Browser.",
        "This site cannot reach the place where it keeps sessions.":
            "Diese Seite erreicht den Ort nicht, an dem sie Sitzungen aufbewahrt.",
        "Try again in a minute. You have not been signed out.":
            "Versuchen Sie es in einer Minute noch einmal. Sie wurden nicht abgemeldet.",
        "That token was refused":
            "Dieses Token wurde abgelehnt",
        "The token is malformed, expired, not meant for this site, or of a kind that is not taken here.":
            "Das Token ist fehlerhaft, abgelaufen, nicht für diese Website bestimmt oder von einer Art, die hier nicht angenommen wird.",
        "Get a fresh token for this site and send it in the Authorization header.":
            "Holen Sie ein neues Token für diese Website und senden Sie es im Authorization-Header.",
        "That token allows too little":
            "Dieses Token erlaubt zu wenig",
        "The token is good, but it lacks a scope that is needed here.":
            "Das Token ist gültig, aber ihm fehlt ein Scope, der hier gebraucht wird.",
        "Ask the provider for a token with the scopes of this API.":
            "Fordern Sie beim Anbieter ein Token mit den Scopes dieser API an.",
        "That logout token was refused":
            "Dieses Logout-Token wurde abgelehnt",
        "The logout token is malformed, expired, used before or not meant for this site.":
            "Das Logout-Token ist fehlerhaft, abgelaufen, schon benutzt oder nicht für diese Seite bestimmt.",
        "Send a fresh logout token.":
            "Senden Sie ein neues Logout-Token.",
        "The request was not understood":
            "Die Anfrage wurde nicht verstanden",
        "Your browser or program sent something that this site does not accept.":
            "Ihr Browser oder Programm hat etwas geschickt, das diese Seite nicht annimmt.",
        "Check the address, or go to the start page.":
            "Prüfen Sie die Adresse oder gehen Sie zur Startseite.",
        "The app cannot be reached":
            "Die Anwendung ist nicht erreichbar",
        "You got this far, but the app behind this page did not give a usable answer.":
            "Bis hierher sind Sie gekommen, aber die Anwendung dahinter hat keine brauchbare Antwort gegeben.",
        "Try again in a minute. If it stays like this, tell the people who run this site.":
            "Versuchen Sie es in einer Minute noch einmal. Wenn es so bleibt, sagen Sie es den Betreibern dieser Seite.",
        "Something went wrong here":
            "Hier ist etwas schiefgegangen",
        "The gateway ran into a fault of its own. It is not something you did.":
            "Das Gateway hatte selbst einen Fehler. An Ihnen lag es nicht.",
        "The rules of this site do not allow this request.":
            "Die Regeln dieser Seite erlauben diese Anfrage nicht.",
        "If you think they should, ask the people who run this site.":
            "Wenn Sie meinen, sie sollten es, fragen Sie die Betreiber dieser Seite.",
        "This page may not connect here":
            "Diese Seite darf sich hier nicht verbinden",
        "A page of another site tried to connect here with your session, and was not let in.":
            "Eine fremde Seite wollte sich mit Ihrer Sitzung hier verbinden und wurde nicht hereingelassen.",
        "If it is a page of yours, it must come from this site's own address.":
            "Wenn es eine eigene Seite ist, muss sie von der Adresse dieser Seite kommen.",
        "There is nothing here":
            "Hier ist nichts",
        "This address does not lead to a page.":
            "Diese Adresse führt zu keiner Seite.",
        "Check the address for a slip, or go to the start page.":
            "Prüfen Sie die Adresse auf Tippfehler oder gehen Sie zur Startseite.",
        "That cannot be done here":
            "Das geht hier nicht",
        "This address does not take that kind of request.":
            "Diese Adresse nimmt solche Anfragen nicht an.",
        "Go back and follow the links or buttons of the page.":
            "Gehen Sie zurück und folgen Sie den Links oder Knöpfen der Seite.",
        "The request took too long to arrive":
            "Die Anfrage kam zu langsam an",
        "Your browser or program did not finish sending in time.":
            "Ihr Browser oder Programm hat nicht rechtzeitig zu Ende gesendet.",
        "Check your connection and try again.":
            "Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
        "That is too large":
            "Das ist zu groß",
        "What you sent is larger than this site accepts.":
            "Was Sie geschickt haben, ist größer, als diese Seite annimmt.",
        "Send something smaller, or ask the people who run this site to raise the limit.":
            "Schicken Sie etwas Kleineres oder bitten Sie die Betreiber dieser Seite, die Grenze anzuheben.",
        "That address is too long":
            "Diese Adresse ist zu lang",
        "The address is longer than this site accepts.":
            "Die Adresse ist länger, als diese Seite annimmt.",
        "Your program expects something that this site does not offer.":
            "Ihr Programm erwartet etwas, das diese Seite nicht anbietet.",
        "Send the request without the Expect header.":
            "Schicken Sie die Anfrage ohne das Feld Expect.",
        "This is not the right place":
            "Das ist nicht der richtige Ort",
        "The name in the address does not belong to this site.":
            "Der Name in der Adresse gehört nicht zu dieser Seite.",
        "Check the address for a slip.":
            "Prüfen Sie die Adresse auf Tippfehler.",
        "That was a lot at once":
            "Das war viel auf einmal",
        "There were too many requests in a short time.":
            "Es kamen zu viele Anfragen in kurzer Zeit.",
        "Wait a minute, then try again.":
            "Warten Sie eine Minute und versuchen Sie es dann noch einmal.",
        "Your browser sent too much at once":
            "Ihr Browser hat zu viel auf einmal geschickt",
        "The request's headers are larger than this site accepts. Most often that is old cookies.":
            "Die Kopfzeilen der Anfrage sind größer, als diese Seite annimmt. Meist liegt das an alten Cookies.",
        "Delete the cookies of this site and try again.":
            "Löschen Sie die Cookies dieser Seite und versuchen Sie es noch einmal.",
        "That is not supported":
            "Das wird nicht unterstützt",
        "The request uses a feature that this site does not support.":
            "Die Anfrage benutzt etwas, das diese Seite nicht unterstützt.",
        "Temporarily unavailable":
            "Vorübergehend nicht verfügbar",
        "This site keeps a record of sign-ins and access, and it cannot write that record at the moment.":
            "Diese Website protokolliert Anmeldungen und Zugriffe und kann das Protokoll im Moment nicht schreiben.",
        "The site is busy or restarting":
            "Die Seite ist ausgelastet oder startet neu",
        "The site cannot take the request right now.":
            "Die Seite kann die Anfrage gerade nicht annehmen.",
        "Try again in a minute.":
            "Versuchen Sie es in einer Minute noch einmal.",
        "The app is busy":
            "Die Anwendung ist ausgelastet",
        "The app behind this page has as many requests as it can take.":
            "Die Anwendung hinter dieser Seite hat so viele Anfragen, wie sie annehmen kann.",
        "The app takes too long":
            "Die Anwendung braucht zu lange",
        "The app behind this page did not answer in time. It may still be working on what you sent.":
            "Die Anwendung hinter dieser Seite hat nicht rechtzeitig geantwortet. Vielleicht arbeitet sie noch an dem, was Sie geschickt haben.",
        "Wait a minute before you try again.":
            "Warten Sie eine Minute, bevor Sie es noch einmal versuchen.",
        "Your program speaks a version of HTTP that this site does not.":
            "Ihr Programm spricht eine HTTP-Version, die diese Seite nicht spricht.",
        "Use HTTP/1.1 or HTTP/2.":
            "Benutzen Sie HTTP/1.1 oder HTTP/2.",
        "The request went in a circle":
            "Die Anfrage lief im Kreis",
        "The request came back to this gateway: the app's address leads here again.":
            "Die Anfrage kam zu diesem Gateway zurück: Die Adresse der Anwendung führt wieder hierher.",
        "Tell the people who run this site: an upstream points at the gateway itself.":
            "Sagen Sie es den Betreibern dieser Seite: Ein Upstream zeigt auf das Gateway selbst.",
        "Sign in":
            "Anmelden",
        "to continue to {site}":
            "weiter zu {site}",
        "Continue with {provider}":
            "Weiter mit {provider}",
        "Last used":
            "Zuletzt benutzt",
        "No way to sign in is switched on here at the moment. Please tell the people who run this site.":
            "Im Moment ist hier keine Anmeldung eingeschaltet. Bitte sagen Sie es den Betreibern dieser Seite.",
        "Your session has ended. Sign in to go on where you were.":
            "Ihre Sitzung ist beendet. Melden Sie sich an, um dort weiterzumachen, wo Sie waren.",
        "This page asks for a recent sign-in. Please sign in once more.":
            "Diese Seite verlangt eine frische Anmeldung. Bitte melden Sie sich noch einmal an.",
        "That sign-in took too long or was already used. Please start again.":
            "Diese Anmeldung hat zu lange gedauert oder war schon benutzt. Bitte beginnen Sie von vorn.",
        "That provider cannot be reached right now. Try again in a moment, or choose another one.":
            "Dieser Anbieter ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal oder wählen Sie einen anderen.",
        "What you entered has not been sent. Your browser's Back button brings it back: sign in first, then send it again.":
            "Ihre Eingaben wurden nicht gesendet. Die Zurück-Taste Ihres Browsers bringt sie wieder: Melden Sie sich zuerst an und senden Sie sie dann noch einmal.",
        "Sign out?":
            "Abmelden?",
        "Sign out":
            "Abmelden",
        "You are signed in to {site}.":
            "Sie sind bei {site} angemeldet.",
        "You are signed in to {site} as {name}.":
            "Sie sind bei {site} als {name} angemeldet.",
        "Stay signed in":
            "Angemeldet bleiben",
        "You are signed out":
            "Sie sind abgemeldet",
        "You are not signed in":
            "Sie sind nicht angemeldet",
        "Your session at {site} has ended.":
            "Ihre Sitzung bei {site} ist beendet.",
        "You may still be signed in at {provider}. On a computer that others use, sign out there too.":
            "Bei {provider} sind Sie vielleicht noch angemeldet. Melden Sie sich an einem gemeinsam genutzten Rechner auch dort ab.",
        "There is no session to end at {site}.":
            "Bei {site} gibt es keine Sitzung zu beenden.",
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
        "Request":
            "Anfrage",
        "Provider":
            "Anbieter",
        "If you ask for help, please pass on the code and the request number above.":
            "Wenn Sie um Hilfe bitten, geben Sie bitte den Code und die Nummer der Anfrage oben an.",
    ]
}
