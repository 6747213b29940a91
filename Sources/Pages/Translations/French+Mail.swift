extension Translations {
    static let frenchMail: [String: String] = [
        "Confirm your e-mail address for {site}":
            "Confirmez votre adresse e-mail pour {site}",
        "Someone created an account at {site} with this address. If it was you, confirm the address.":
            "Un compte a été créé sur {site} avec cette adresse. Si c’était vous, confirmez l’adresse.",
        "If it was not you, open the link and say so there, or ignore this mail.":
            "Si ce n’était pas vous, ouvrez le lien et indiquez-le sur la page, ou ignorez cet e-mail.",
        "Reset your password for {site}":
            "Réinitialisez votre mot de passe pour {site}",
        "Someone asked to reset the password of your account at {site}. If it was you, choose a new password.":
            "La réinitialisation du mot de passe de votre compte sur {site} a été demandée. Si c’était vous, choisissez un nouveau mot de passe.",
        "If it was not you, ignore this mail. Your password stays as it is.":
            "Si ce n’était pas vous, ignorez cet e-mail. Votre mot de passe reste le même.",
        "Confirm your new e-mail address for {site}":
            "Confirmez votre nouvelle adresse e-mail pour {site}",
        "Someone asked to use this address for an account at {site}. If it was you, confirm the address.":
            "L’utilisation de cette adresse pour un compte sur {site} a été demandée. Si c’était vous, confirmez l’adresse.",
        "If it was not you, ignore this mail. The account keeps its address.":
            "Si ce n’était pas vous, ignorez cet e-mail. Le compte garde son adresse.",
        "Your e-mail address at {site} was changed":
            "Votre adresse e-mail sur {site} a été modifiée",
        "Your account at {site} now has the address {new}. Mails about it no longer go to this address.":
            "Votre compte sur {site} a maintenant l’adresse {new}. Les e-mails à son sujet ne vont plus à cette adresse.",
        "If it was not you, check the ways to sign in of your account, and tell the site's administrator.":
            "Si ce n’était pas vous, vérifiez les moyens de connexion de votre compte et prévenez les responsables du site.",
        "Your password for {site} was changed":
            "Votre mot de passe pour {site} a été modifié",
        "The password of your account at {site} was changed. Your other sessions have ended.":
            "Le mot de passe de votre compte sur {site} a été modifié. Vos autres sessions sont terminées.",
        "If it was not you, reset your password now. Then check the ways to sign in of your account.":
            "Si ce n’était pas vous, réinitialisez votre mot de passe maintenant. Vérifiez ensuite les moyens de connexion de votre compte.",
        "A way to sign in was added to your account at {site}":
            "Un moyen de connexion a été ajouté à votre compte sur {site}",
        "You can now sign in to your account at {site} with {provider}.":
            "Vous pouvez maintenant vous connecter à votre compte sur {site} avec {provider}.",
        "If it was not you, remove it from your account now.":
            "Si ce n’était pas vous, retirez-le maintenant de votre compte.",
        "You already have an account at {site}":
            "Vous avez déjà un compte sur {site}",
        "Someone tried to create an account at {site} with this address. It already has one, so you can sign in as usual.":
            "Quelqu’un a essayé de créer un compte sur {site} avec cette adresse. Il en existe déjà un, vous pouvez donc vous connecter comme d’habitude.",
        "If you forgot your password, you can reset it there. If it was not you, ignore this mail.":
            "Si vous avez oublié votre mot de passe, vous pouvez le réinitialiser sur cette page. Si ce n’était pas vous, ignorez cet e-mail.",
        "The link works once, within {minutes} minutes.":
            "Le lien fonctionne une fois, pendant {minutes} minutes.",
        "This mail was sent to {email} because of an action at {site}.":
            "Cet e-mail a été envoyé à {email} à la suite d’une action sur {site}.",
        "{code} is your code for {site}. It works for 5 minutes. Do not give it to anybody.":
            "{code} est votre code pour {site}. Il est valable 5 minutes. Ne le donnez à personne.",
    ]
}
