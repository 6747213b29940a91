extension Translations {
    static let frenchAccounts: [String: String] = [
        "Your password was changed. Sign in with the new one.":
            "Votre mot de passe a été modifié. Connectez-vous avec le nouveau.",
        "Your e-mail address is confirmed. You can sign in now.":
            "Votre adresse e-mail est confirmée. Vous pouvez maintenant vous connecter.",
        "Your account was deleted.":
            "Votre compte a été supprimé.",
        "Continue without an account":
            "Continuer sans compte",
        "or":
            "ou",
        "Go to your account":
            "Aller à votre compte",
        "Your e-mail address is confirmed":
            "Votre adresse e-mail est confirmée",
        "Your e-mail address was changed":
            "Votre adresse e-mail a été modifiée",
        "Your password was changed":
            "Votre mot de passe a été modifié",
        "Your account was deleted":
            "Votre compte a été supprimé",
        "You can use it to sign in, and we can reach you there.":
            "Vous pouvez l’utiliser pour vous connecter, et nous pouvons vous y joindre.",
        "From now on, mails go to the new address. Your other sessions have ended.":
            "Désormais, les e-mails vont à la nouvelle adresse. Vos autres sessions sont terminées.",
        "Your other sessions have ended. Sign in there with the new password.":
            "Vos autres sessions sont terminées. Reconnectez-vous-y avec le nouveau mot de passe.",
        "Its ways to sign in and its sessions were deleted, too. The app may still hold data of its own about you.":
            "Ses moyens de connexion et ses sessions ont aussi été supprimés. L’application peut encore détenir ses propres données sur vous.",
        "Delete your account?":
            "Supprimer votre compte ?",
        "The account, its ways to sign in and all its sessions are deleted at once. This cannot be undone.":
            "Le compte, ses moyens de connexion et toutes ses sessions sont supprimés immédiatement. Cette action est irréversible.",
        "The app may still hold data of its own about you.":
            "L’application peut encore détenir ses propres données sur vous.",
        "Delete the account for good":
            "Supprimer définitivement le compte",
        "Keep the account":
            "Conserver le compte",
        "Send the confirmation mail again":
            "Renvoyer l’e-mail de confirmation",
        "Added on {date}":
            "Ajouté le {date}",
        "Remove":
            "Retirer",
        "Link {provider}":
            "Associer {provider}",
        "Remove {provider}":
            "Retirer {provider}",
        "New password":
            "Nouveau mot de passe",
        "Change password":
            "Modifier le mot de passe",
        "Set a password":
            "Définir un mot de passe",
        "New e-mail address":
            "Nouvelle adresse e-mail",
        "Change address":
            "Modifier l’adresse",
        "Your other sessions end when the password changes.":
            "Vos autres sessions se terminent lorsque le mot de passe change.",
        "We send a link to the new address. The address changes when you open it, and your other sessions end.":
            "Nous envoyons un lien à la nouvelle adresse. L’adresse change lorsque vous l’ouvrez, et vos autres sessions se terminent.",
        "Change your e-mail address":
            "Modifier l’adresse e-mail",
        "Manage second factors":
            "Gérer les seconds facteurs",
        "Second factors":
            "Seconds facteurs",
        "Last used on {date}":
            "Dernière utilisation le {date}",
        "Sessions":
            "Sessions",
        "Sign out everywhere else":
            "Fermer toutes les autres sessions",
        "Delete account":
            "Supprimer le compte",
        "Name":
            "Nom",
        "confirmed":
            "confirmée",
        "not confirmed":
            "non confirmée",
        "E-mail address":
            "Adresse e-mail",
        "You use this site without an account. Add a way to sign in, so that you can come back from another browser.":
            "Vous utilisez ce site sans compte. Ajoutez un moyen de connexion pour pouvoir revenir depuis un autre navigateur.",
        "User ID":
            "Identifiant",
        "This is your only way to sign in. Add another one before you remove it.":
            "C’est votre seul moyen de connexion. Ajoutez-en un autre avant de le retirer.",
        "Add a way to sign in":
            "Ajouter un moyen de connexion",
        "Ways to sign in":
            "Moyens de connexion",
        "E-mail and password":
            "E-mail et mot de passe",
        "You have no second factor. With one, a stolen password is not enough to sign in.":
            "Vous n’avez pas de second facteur. Avec un second facteur, un mot de passe volé ne suffit pas pour se connecter.",
        "This session":
            "Cette session",
        "A page asks you for confirmation first.":
            "Une page vous demande d’abord confirmation.",
        "Your account":
            "Votre compte",
        "To change your ways to sign in, your password or your address, sign in again first.":
            "Pour modifier vos moyens de connexion, votre mot de passe ou votre adresse, reconnectez-vous d’abord.",
        "The way to sign in was added.":
            "Le moyen de connexion a été ajouté.",
        "The way to sign in was removed. Sessions that were made with it have ended.":
            "Le moyen de connexion a été retiré. Les sessions ouvertes avec lui sont terminées.",
        "Your password was changed. Your other sessions have ended.":
            "Votre mot de passe a été modifié. Vos autres sessions sont terminées.",
        "Your e-mail address is confirmed.":
            "Votre adresse e-mail est confirmée.",
        "Your e-mail address was changed. Your other sessions have ended.":
            "Votre adresse e-mail a été modifiée. Vos autres sessions sont terminées.",
        "The sessions have ended.":
            "Les sessions sont terminées.",
        "You signed in again. You can make changes now.":
            "Vous vous êtes reconnecté. Vous pouvez maintenant faire des modifications.",
        "You are signed in to the other account now.":
            "Vous êtes maintenant connecté à l’autre compte.",
        "The way to sign in could not be added. Nothing was changed.":
            "Le moyen de connexion n’a pas pu être ajouté. Rien n’a été modifié.",
        "The address belongs to an account that is linked to another {provider} account.":
            "L’adresse appartient à un compte associé à un autre compte {provider}.",
        "Sign in to that account in one of its ways, or ask the site's administrator.":
            "Connectez-vous à ce compte par l’un de ses moyens, ou adressez-vous aux responsables de ce site.",
        "The address that {provider} sent belongs to an account, and {provider} is not linked to it.":
            "L’adresse envoyée par {provider} appartient à un compte auquel {provider} n’est pas associé.",
        "An account with the address {email} exists, and {provider} is not linked to it.":
            "Un compte avec l’adresse {email} existe, et {provider} n’y est pas associé.",
        "Sign in to that account the way you usually do. You are then asked whether to link {provider} to it.":
            "Connectez-vous à ce compte comme d’habitude. On vous demande ensuite si {provider} doit y être associé.",
        "Sign in to that account in one of its ways. You are then asked whether to link {provider} to it.":
            "Connectez-vous à ce compte par l’un de ses moyens. On vous demande ensuite si {provider} doit y être associé.",
        "This works in this browser for {minutes} minutes. If you do not sign in, nothing changes.":
            "Cela fonctionne dans ce navigateur pendant {minutes} minutes. Si vous ne vous connectez pas, rien ne change.",
        "Link {provider} to your account?":
            "Associer {provider} à votre compte ?",
        "A sign-in with {provider} in this browser met your account, because both have the same e-mail address.":
            "Une connexion avec {provider} dans ce navigateur a rencontré votre compte, car les deux ont la même adresse e-mail.",
        "A sign-in with {provider} as {name} in this browser met your account, because both have the same e-mail address.":
            "Une connexion avec {provider} en tant que {name} dans ce navigateur a rencontré votre compte, car les deux ont la même adresse e-mail.",
        "{provider} has not confirmed that the address {email} belongs to that user.":
            "{provider} n’a pas confirmé que l’adresse {email} appartient à cet utilisateur.",
        "If you link it, the user of that {provider} account can sign in to your account.":
            "Si vous l’associez, la personne qui possède ce compte {provider} peut se connecter à votre compte.",
        "Choose No if you did not sign in with {provider} yourself.":
            "Choisissez Non si vous ne vous êtes pas connecté vous-même avec {provider}.",
        "No, do not link":
            "Non, ne pas associer",
        "Yes, link":
            "Oui, associer",
        "{provider} is linked to another account of this site. Nothing was changed.":
            "{provider} est associé à un autre compte de ce site. Rien n’a été modifié.",
        "You can sign in to that account now. You then use that one instead of the one you are signed in to.":
            "Vous pouvez vous connecter à ce compte maintenant. Vous l’utiliserez alors à la place de celui auquel vous êtes connecté.",
        "Sign in to the other account":
            "Se connecter à l’autre compte",
        "Keep using this account":
            "Continuer avec ce compte",
        "Cancel":
            "Annuler",
        "Confirm that it is you":
            "Confirmez que c’est bien vous",
        "The next step is sensitive. Sign in again to the same account to continue.":
            "L’étape suivante est sensible. Reconnectez-vous au même compte pour continuer.",
        "At least {count} characters. A few words that do not belong together are easy to remember.":
            "Au moins {count} caractères. Quelques mots sans rapport entre eux sont faciles à retenir.",
        "The e-mail address or the password is wrong.":
            "L’adresse e-mail ou le mot de passe est incorrect.",
        "There were too many attempts. Try again in a minute.":
            "Il y a eu trop de tentatives. Réessayez dans une minute.",
        "There were too many attempts. Try again in {minutes} minutes.":
            "Il y a eu trop de tentatives. Réessayez dans {minutes} minutes.",
        "Enter a complete e-mail address, such as name@example.com.":
            "Saisissez une adresse e-mail complète, par exemple name@example.com.",
        "The password is too short. Use at least {count} characters.":
            "Le mot de passe est trop court. Utilisez au moins {count} caractères.",
        "The password is too long. Use at most 1,024 bytes.":
            "Le mot de passe est trop long. Utilisez au plus 1 024 octets.",
        "Many people use this password, so it is easy to guess. Choose another one.":
            "Beaucoup de gens utilisent ce mot de passe, il est donc facile à deviner. Choisissez-en un autre.",
        "Send the mail":
            "Envoyer l’e-mail",
        "Reset your password":
            "Réinitialiser votre mot de passe",
        "Enter the e-mail address of your account. We send you a link to choose a new password.":
            "Saisissez l’adresse e-mail de votre compte. Nous vous envoyons un lien pour choisir un nouveau mot de passe.",
        "Back to the sign-in":
            "Retour à la connexion",
        "Choose a new password":
            "Choisir un nouveau mot de passe",
        "The change ends your sessions on all devices.":
            "La modification met fin à vos sessions sur tous les appareils.",
        "Confirm address":
            "Confirmer l’adresse",
        "Does the address {email} belong to you?":
            "L’adresse {email} est-elle la vôtre ?",
        "This confirms it for the account {account}. If that is not your account, do not confirm.":
            "Vous la confirmez pour le compte {account}. Si ce n’est pas votre compte, ne confirmez pas.",
        "This confirms it for the registration that was begun in this browser. If you did not begin it, do not confirm.":
            "Vous la confirmez pour l’inscription commencée dans ce navigateur. Si vous ne l’avez pas commencée, ne confirmez pas.",
        "To confirm the address {email}, enter the password of the account that it is for.":
            "Pour confirmer l’adresse {email}, saisissez le mot de passe du compte auquel elle est destinée.",
        "To confirm the address {email}, sign in to the account that it is for.":
            "Pour confirmer l’adresse {email}, connectez-vous au compte auquel elle est destinée.",
        "You are signed in to another account in this browser.":
            "Dans ce navigateur, vous êtes connecté à un autre compte.",
        "Sign in another way":
            "Se connecter autrement",
        "I did not create this account":
            "Je n’ai pas créé ce compte",
        "I did not ask for this":
            "Je n’ai rien demandé",
        "If someone else created the account with your address, you can take it over. Its password, its other ways to sign in and its sessions are removed, and you choose a new password.":
            "Si quelqu’un d’autre a créé le compte avec votre adresse, vous pouvez le reprendre. Son mot de passe, ses autres moyens de connexion et ses sessions sont supprimés, et vous choisissez un nouveau mot de passe.",
        "If you did not ask for this mail, you can make its link invalid. Nothing else changes.":
            "Si vous n’avez pas demandé cet e-mail, vous pouvez rendre son lien inutilisable. Rien d’autre ne change.",
        "The link of the mail does not work any more. Nothing else was changed.":
            "Le lien de l’e-mail ne fonctionne plus. Rien d’autre n’a été modifié.",
        "Confirm your e-mail address":
            "Confirmez votre adresse e-mail",
        "Password":
            "Mot de passe",
        "Sign in with password":
            "Se connecter avec un mot de passe",
        "Forgot your password?":
            "Mot de passe oublié ?",
        "Create an account":
            "Créer un compte",
        "You will get a mail with a link that confirms your address.":
            "Vous recevrez un e-mail avec un lien qui confirme votre adresse.",
        "Sign in instead":
            "Se connecter plutôt",
        "No mail after a few minutes? Look in the spam folder, and check the address for typing errors.":
            "Pas d’e-mail après quelques minutes ? Regardez dans le dossier des indésirables et vérifiez que l’adresse est sans faute de frappe.",
        "Check your mail":
            "Consultez vos e-mails",
        "We sent you a mail. Open the link in it to continue.":
            "Nous vous avons envoyé un e-mail. Ouvrez le lien qu’il contient pour continuer.",
        "If the address belongs to an account, we sent a mail to it. Open the link in it to choose a new password.":
            "Si l’adresse appartient à un compte, nous y avons envoyé un e-mail. Ouvrez le lien qu’il contient pour choisir un nouveau mot de passe.",
        "We sent a mail to the new address. The address of your account changes when you open the link in it.":
            "Nous avons envoyé un e-mail à la nouvelle adresse. L’adresse de votre compte change lorsque vous ouvrez le lien qu’il contient.",
        "Not available on this site":
            "Non disponible sur ce site",
        "This site does not keep a list of sessions.":
            "Ce site ne tient pas de liste des sessions.",
        "To end the session of this browser, sign out.":
            "Pour mettre fin à la session de ce navigateur, déconnectez-vous.",
        "This session does not exist":
            "Cette session n’existe pas",
        "The session has ended already, or it is not one of yours. Nothing was changed.":
            "La session est déjà terminée, ou elle n’est pas à vous. Rien n’a été modifié.",
        "Open the list of your sessions again.":
            "Ouvrez de nouveau la liste de vos sessions.",
        "Unknown browser":
            "Navigateur inconnu",
    ]
}
