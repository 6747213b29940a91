extension Translations {
    static let frenchSecondFactors: [String: String] = [
        "Confirm your sign-in":
            "Confirmez votre connexion",
        "Enter the 6-digit code that your authenticator app shows for {site}.":
            "Saisissez le code à 6 chiffres que votre application d’authentification affiche pour {site}.",
        "Use the passkey or security key that you added to your account.":
            "Utilisez la clé d’accès ou la clé de sécurité que vous avez ajoutée à votre compte.",
        "Enter the 6-digit code that we sent to {phone}.":
            "Saisissez le code à 6 chiffres que nous avons envoyé au {phone}.",
        "We send a code to {phone}.":
            "Nous envoyons un code au {phone}.",
        "Enter one of your recovery codes. Each code works once.":
            "Saisissez l’un de vos codes de récupération. Chaque code fonctionne une seule fois.",
        "6-digit code":
            "Code à 6 chiffres",
        "Recovery code":
            "Code de récupération",
        "Send the message":
            "Envoyer le message",
        "Use passkey":
            "Utiliser la clé d’accès",
        "Confirm":
            "Confirmer",
        "Send another message":
            "Envoyer un autre message",
        "Do not ask again on this browser for {days} days":
            "Ne plus demander dans ce navigateur pendant {days} jours",
        "If you cannot use any of your second factors, ask the site's administrator.":
            "Si vous ne pouvez utiliser aucun de vos seconds facteurs, adressez-vous aux responsables de ce site.",
        "Authenticator app":
            "Application d’authentification",
        "Passkey or security key":
            "Clé d’accès ou clé de sécurité",
        "Text message":
            "SMS",
        "Recovery codes":
            "Codes de récupération",
        "No passkey was added. Try again, or add another kind of second factor.":
            "Aucune clé d’accès n’a été ajoutée. Réessayez, ou ajoutez un second facteur d’un autre type.",
        "The passkey was not used. Try again, or use another second factor.":
            "La clé d’accès n’a pas été utilisée. Réessayez, ou utilisez un autre second facteur.",
        "Passkeys need JavaScript and a browser that supports them. Add another kind of second factor, or use another browser.":
            "Les clés d’accès nécessitent JavaScript et un navigateur qui les prend en charge. Ajoutez un second facteur d’un autre type, ou utilisez un autre navigateur.",
        "Passkeys need JavaScript and a browser that supports them. Use another second factor, or use another browser.":
            "Les clés d’accès nécessitent JavaScript et un navigateur qui les prend en charge. Utilisez un autre second facteur ou un autre navigateur.",
        "Sign in with a passkey":
            "Se connecter avec une clé d’accès",
        "The passkey was not used. Try again, or sign in another way.":
            "La clé d’accès n’a pas été utilisée. Réessayez, ou connectez-vous d’une autre manière.",
        "Passkeys need JavaScript and a browser that supports them. Sign in another way, or use another browser.":
            "Les clés d’accès nécessitent JavaScript et un navigateur qui les prend en charge. Connectez-vous d’une autre manière ou utilisez un autre navigateur.",
        "The passkey was not accepted. Try again, or sign in another way.":
            "La clé d’accès n’a pas été acceptée. Réessayez, ou connectez-vous d’une autre manière.",
        "This passkey is already a second factor of your account.":
            "Cette clé d’accès est déjà un second facteur de votre compte.",
        "With a second factor, a stolen password is not enough to sign in.":
            "Avec un second facteur, un mot de passe volé ne suffit pas pour se connecter.",
        "The second factor was added.":
            "Le second facteur a été ajouté.",
        "The second factor was removed.":
            "Le second facteur a été retiré.",
        "This site requires a second factor. Add one to continue.":
            "Ce site exige un second facteur. Ajoutez-en un pour continuer.",
        "To add or remove second factors, sign in again first.":
            "Pour ajouter ou retirer des seconds facteurs, reconnectez-vous d’abord.",
        "To add a second factor, confirm your e-mail address first.":
            "Pour ajouter un second facteur, confirmez d’abord votre adresse e-mail.",
        "You use this site without an account. Add a way to sign in before you add a second factor.":
            "Vous utilisez ce site sans compte. Ajoutez un moyen de connexion avant d’ajouter un second facteur.",
        "Continue":
            "Continuer",
        "If you remove your last other second factor, the recovery codes are removed, too.":
            "Si vous retirez votre dernier autre second facteur, les codes de récupération sont retirés aussi.",
        "Codes left: {count}":
            "Codes restants : {count}",
        "An app on your phone or computer shows a new code every 30 seconds.":
            "Une application sur votre téléphone ou votre ordinateur affiche un nouveau code toutes les 30 secondes.",
        "Set up an authenticator app":
            "Configurer une application d’authentification",
        "Your device asks for your fingerprint, your face or a PIN, or you touch a security key.":
            "Votre appareil demande votre empreinte, votre visage ou un code PIN, ou vous touchez une clé de sécurité.",
        "Add a passkey":
            "Ajouter une clé d’accès",
        "Phone number":
            "Numéro de téléphone",
        "We send a code to your phone when you sign in.":
            "Nous envoyons un code à votre téléphone lorsque vous vous connectez.",
        "Ten codes that work once each, for when you cannot use your other second factors.":
            "Dix codes qui fonctionnent une fois chacun, si vous ne pouvez pas utiliser vos autres seconds facteurs.",
        "You can create them after you add another second factor.":
            "Vous pourrez les créer après avoir ajouté un autre second facteur.",
        "New codes replace the ones that you have.":
            "Les nouveaux codes remplacent ceux que vous avez.",
        "Create new recovery codes":
            "Créer de nouveaux codes de récupération",
        "Create recovery codes":
            "Créer des codes de récupération",
        "Name (optional)":
            "Nom (facultatif)",
        "Add a second factor":
            "Ajouter un second facteur",
        "With the country code, such as +12025550123.":
            "Avec l’indicatif du pays, par exemple +12025550123.",
        "Scan this QR code with an authenticator app.":
            "Scannez ce code QR avec une application d’authentification.",
        "Then enter the code that the app shows.":
            "Saisissez ensuite le code que l’application affiche.",
        "QR code with the secret":
            "Code QR contenant le secret",
        "Enter this secret in an authenticator app:":
            "Saisissez ce secret dans une application d’authentification :",
        "Or enter this secret in the app:":
            "Ou saisissez ce secret dans l’application :",
        "Open in an authenticator app":
            "Ouvrir dans une application d’authentification",
        "Add the app":
            "Ajouter l’application",
        "Confirm your phone number":
            "Confirmez votre numéro de téléphone",
        "Your browser asks you to create a passkey or to use a security key.":
            "Votre navigateur vous demande de créer une clé d’accès ou d’utiliser une clé de sécurité.",
        "Create passkey":
            "Créer une clé d’accès",
        "The codes that you had before no longer work.":
            "Les codes que vous aviez auparavant ne fonctionnent plus.",
        "Your recovery codes":
            "Vos codes de récupération",
        "Each code works once, when you cannot use your other second factors.":
            "Chaque code fonctionne une seule fois, lorsque vous ne pouvez pas utiliser vos autres seconds facteurs.",
        "Print this page, or store the codes in a password manager. They are not shown again.":
            "Imprimez cette page ou enregistrez les codes dans un gestionnaire de mots de passe. Ils ne seront plus affichés.",
        "I have stored them":
            "Je les ai conservés",
        "The code is wrong, or it was already used. Enter the current one.":
            "Le code est incorrect ou a déjà été utilisé. Saisissez le code actuel.",
        "The passkey was not accepted. Try again, or use another second factor.":
            "La clé d’accès n’a pas été acceptée. Réessayez, ou utilisez un autre second facteur.",
        "The code has expired. Enter a new one.":
            "Le code a expiré. Saisissez-en un nouveau.",
        "Too many text messages were requested. You can request another one in a minute.":
            "Trop de messages ont été demandés. Vous pourrez en demander un autre dans une minute.",
        "Too many text messages were requested. You can request another one in {minutes} minutes.":
            "Trop de messages ont été demandés. Vous pourrez en demander un autre dans {minutes} minutes.",
        "Enter the number with its country code, such as +12025550123.":
            "Saisissez le numéro avec l’indicatif du pays, par exemple +12025550123.",
        "This second factor is already in use. Add another one.":
            "Ce second facteur est déjà utilisé. Ajoutez-en un autre.",
        "Your account has as many second factors as it can have. Remove one before you add another.":
            "Votre compte a déjà le nombre maximal de seconds facteurs. Retirez-en un avant d’en ajouter un autre.",
        "This step needs a second factor besides your sign-in.":
            "Cette étape exige un second facteur en plus de la connexion.",
        "Continue with your second factor.":
            "Continuez avec votre second facteur.",
        "The code is wrong":
            "Le code est incorrect",
        "The code is wrong, or it was already used.":
            "Le code est incorrect ou a déjà été utilisé.",
        "Go back and enter the current code.":
            "Revenez en arrière et saisissez le code actuel.",
        "The code has expired":
            "Le code a expiré",
        "The code is too old, or the step that it belongs to has ended.":
            "Le code est trop ancien, ou l’étape à laquelle il appartient est terminée.",
        "Sign in again and enter a new code.":
            "Reconnectez-vous et saisissez un nouveau code.",
        "This second factor is already in use":
            "Ce second facteur est déjà utilisé",
        "It is already a second factor of an account on this site. Nothing was changed.":
            "Il est déjà un second facteur d’un compte de ce site. Rien n’a été modifié.",
        "Add another second factor.":
            "Ajoutez un autre second facteur.",
        "Too many second factors":
            "Trop de seconds facteurs",
        "Your account has as many second factors as it can have.":
            "Votre compte a déjà le nombre maximal de seconds facteurs.",
        "Remove one before you add another.":
            "Retirez-en un avant d’en ajouter un autre.",
        "This second factor does not exist":
            "Ce second facteur n’existe pas",
        "Your account has no such second factor. Perhaps you removed it in another window.":
            "Votre compte n’a pas ce second facteur. Vous l’avez peut-être retiré dans une autre fenêtre.",
        "Look up your second factors on your account page.":
            "Consultez vos seconds facteurs sur la page de votre compte.",
        "Add a way to sign in first":
            "Ajoutez d’abord un moyen de connexion",
        "An account without a way to sign in cannot have second factors.":
            "Un compte sans moyen de connexion ne peut pas avoir de seconds facteurs.",
        "Add a way to sign in on your account page.":
            "Ajoutez un moyen de connexion sur la page de votre compte.",
        "This phone number cannot be used":
            "Ce numéro de téléphone ne peut pas être utilisé",
        "The phone number is incomplete, or it has no country code.":
            "Le numéro de téléphone est incomplet ou n’a pas d’indicatif de pays.",
        "Go back and enter the number with its country code.":
            "Revenez en arrière et saisissez le numéro avec l’indicatif du pays.",
        "This is not available":
            "Ceci n’est pas disponible",
        "This site does not offer this kind of second factor, or your account does not allow this.":
            "Ce site ne propose pas ce type de second facteur, ou votre compte ne le permet pas.",
        "Look at your account page for what you can do.":
            "Consultez la page de votre compte pour voir ce qui est possible.",
        "A second factor was added to your account at {site}":
            "Un second facteur a été ajouté à votre compte sur {site}",
        "Your account at {site} has a new second factor: {factor}.":
            "Votre compte sur {site} a un nouveau second facteur : {factor}.",
        "If it was not you, remove it now, and check the ways to sign in of your account.":
            "Si ce n’était pas vous, retirez-le maintenant et vérifiez les moyens de connexion de votre compte.",
        "A second factor was removed from your account at {site}":
            "Un second facteur a été retiré de votre compte sur {site}",
        "Your account at {site} no longer has this second factor: {factor}.":
            "Votre compte sur {site} n’a plus ce second facteur : {factor}.",
    ]
}
