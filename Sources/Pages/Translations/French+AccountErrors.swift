extension Translations {
    static let frenchAccountErrors: [String: String] = [
        "This link no longer works":
            "Ce lien ne fonctionne plus",
        "The link from the mail has expired, or it was already used.":
            "Le lien de l’e-mail a expiré ou a déjà été utilisé.",
        "Request a new mail and open the link in it.":
            "Demandez un nouvel e-mail et ouvrez le lien qu’il contient.",
        "Accounts are unavailable":
            "Les comptes sont indisponibles",
        "This site cannot reach its store of accounts.":
            "Ce site ne peut pas accéder à sa base de comptes.",
        "Try again in a minute. If you are signed in, you stay signed in.":
            "Réessayez dans une minute. Si vous êtes connecté, vous le restez.",
        "This address is in use":
            "Cette adresse est déjà utilisée",
        "The e-mail address at the provider belongs to another account of this site. Nothing was changed.":
            "L’adresse e-mail chez le fournisseur appartient à un autre compte de ce site. Rien n’a été modifié.",
        "Sign in to that account, or link an account with another address.":
            "Connectez-vous à ce compte, ou associez un compte avec une autre adresse.",
        "This address already has an account":
            "Cette adresse a déjà un compte",
        "The address that the provider sent belongs to an account that is not linked to this provider.":
            "L’adresse envoyée par le fournisseur appartient à un compte qui n’est pas associé à ce fournisseur.",
        "Sign in to that account in one of its ways. You can then use the new one, too.":
            "Connectez-vous à ce compte par l’un de ses moyens. Vous pourrez ensuite utiliser aussi le nouveau.",
        "The e-mail address belongs to another account of this site.":
            "L’adresse e-mail appartient à un autre compte de ce site.",
        "Sign in to that account, or use another address.":
            "Connectez-vous à ce compte, ou utilisez une autre adresse.",
        "This account is disabled":
            "Ce compte est désactivé",
        "An administrator disabled this account.":
            "Ce compte a été désactivé par les responsables du site.",
        "If you think this is a mistake, ask the site's administrator.":
            "Si vous pensez que c’est une erreur, adressez-vous aux responsables de ce site.",
        "There is no account for you yet":
            "Vous n’avez pas encore de compte",
        "New accounts are created by the site's administrator only.":
            "Seuls les responsables de ce site créent de nouveaux comptes.",
        "Ask the site's administrator for an account, or sign in to one that you have.":
            "Demandez un compte aux responsables de ce site, ou connectez-vous à un compte que vous avez déjà.",
        "This provider is already linked":
            "Ce fournisseur est déjà associé",
        "Your account is already linked to an account at this provider.":
            "Votre compte est déjà associé à un compte chez ce fournisseur.",
        "To link another one, remove the first from your account.":
            "Pour en associer un autre, retirez d’abord le premier de votre compte.",
        "Already linked to another account":
            "Déjà associé à un autre compte",
        "The account at the provider is linked to another account of this site. Nothing was changed.":
            "Le compte chez le fournisseur est associé à un autre compte de ce site. Rien n’a été modifié.",
        "Sign in to the other account, or link another one.":
            "Connectez-vous à l’autre compte, ou associez-en un différent.",
        "This provider is not linked":
            "Ce fournisseur n’est pas associé",
        "Your account is not linked to this provider. Perhaps you removed it in another window.":
            "Votre compte n’est pas associé à ce fournisseur. Peut-être l’avez-vous retiré dans une autre fenêtre.",
        "Look up its ways to sign in on your account page.":
            "Consultez ses moyens de connexion sur la page de votre compte.",
        "Your only way to sign in stays":
            "Votre seul moyen de connexion est conservé",
        "Without it, you could not sign in again. Nothing was changed.":
            "Sans lui, vous ne pourriez plus vous connecter. Rien n’a été modifié.",
        "Add another way to sign in before you remove this one.":
            "Ajoutez un autre moyen de connexion avant de retirer celui-ci.",
        "This is a different account":
            "C’est un autre compte",
        "You signed in to another account than the one that you are using. Nothing was changed.":
            "Vous vous êtes connecté à un autre compte que celui que vous utilisez. Rien n’a été modifié.",
        "Sign in again to the account that you are using.":
            "Reconnectez-vous au compte que vous utilisez.",
        "The sign-in failed":
            "La connexion a échoué",
        "The e-mail address or the password is wrong, or the passkey was not accepted.":
            "L’adresse e-mail ou le mot de passe est incorrect, ou la clé d’accès n’a pas été acceptée.",
        "Check what you entered and try again. If you forgot the password, reset it.":
            "Vérifiez votre saisie et réessayez. Si vous avez oublié le mot de passe, réinitialisez-le.",
        "The password is too weak":
            "Le mot de passe est trop faible",
        "The password is too short, too long or too common.":
            "Le mot de passe est trop court, trop long ou trop courant.",
        "Go back and choose another password.":
            "Revenez en arrière et choisissez un autre mot de passe.",
        "Too many attempts":
            "Trop de tentatives",
        "There were too many attempts for this address, or from your network.":
            "Il y a eu trop de tentatives pour cette adresse ou depuis votre réseau.",
        "Wait some minutes, then try again.":
            "Attendez quelques minutes, puis réessayez.",
        "Your e-mail address is not confirmed":
            "Votre adresse e-mail n’est pas confirmée",
        "This step needs an account with a confirmed e-mail address.":
            "Cette étape exige un compte avec une adresse e-mail confirmée.",
        "Open the link in the mail that we sent you. You can request a new one on your account page.":
            "Ouvrez le lien de l’e-mail que nous vous avons envoyé. Vous pouvez en demander un nouveau sur la page de votre compte.",
        "There is nothing to link":
            "Il n’y a rien à associer",
        "The question has expired, or it was already answered.":
            "La question a expiré, ou elle a déjà reçu une réponse.",
        "To link a provider, sign in with it again, or add it on your account page.":
            "Pour associer un fournisseur, connectez-vous de nouveau avec lui ou ajoutez-le sur la page de votre compte.",
    ]
}
