extension Translations {
    static let spanishAccountErrors: [String: String] = [
        "This link no longer works":
            "Este enlace ya no funciona",
        "The link from the mail has expired, or it was already used.":
            "El enlace del correo ha caducado o ya se ha usado.",
        "Request a new mail and open the link in it.":
            "Pida un correo nuevo y abra el enlace que contiene.",
        "Accounts are unavailable":
            "Las cuentas no están disponibles",
        "This site cannot reach its store of accounts.":
            "Este sitio no puede acceder a su almacén de cuentas.",
        "Try again in a minute. If you are signed in, you stay signed in.":
            "Inténtelo de nuevo en un minuto. Si tiene la sesión iniciada, la conserva.",
        "This address is in use":
            "Esta dirección está en uso",
        "The e-mail address at the provider belongs to another account of this site. Nothing was changed.":
            "La dirección de correo en el proveedor pertenece a otra cuenta de este sitio. No se ha cambiado nada.",
        "Sign in to that account, or link an account with another address.":
            "Inicie sesión en esa cuenta o vincule una cuenta con otra dirección.",
        "This address already has an account":
            "Esta dirección ya tiene una cuenta",
        "The address that the provider sent belongs to an account that is not linked to this provider.":
            "La dirección que envió el proveedor pertenece a una cuenta que no está vinculada a este proveedor.",
        "Sign in to that account in one of its ways. You can then use the new one, too.":
            "Inicie sesión en esa cuenta de una de sus formas. Después también podrá usar la nueva.",
        "The e-mail address belongs to another account of this site.":
            "La dirección de correo pertenece a otra cuenta de este sitio.",
        "Sign in to that account, or use another address.":
            "Inicie sesión en esa cuenta o use otra dirección.",
        "This account is disabled":
            "Esta cuenta está desactivada",
        "An administrator disabled this account.":
            "Esta cuenta la desactivaron quienes administran el sitio.",
        "If you think this is a mistake, ask the site's administrator.":
            "Si cree que es un error, consulte a quienes administran este sitio.",
        "There is no account for you yet":
            "Todavía no hay una cuenta para usted",
        "New accounts are created by the site's administrator only.":
            "Solo quienes administran este sitio crean cuentas nuevas.",
        "Ask the site's administrator for an account, or sign in to one that you have.":
            "Pida una cuenta a quienes administran este sitio o inicie sesión en una que ya tenga.",
        "This provider is already linked":
            "Este proveedor ya está vinculado",
        "Your account is already linked to an account at this provider.":
            "Su cuenta ya está vinculada a una cuenta de este proveedor.",
        "To link another one, remove the first from your account.":
            "Para vincular otra, quite primero la anterior de su cuenta.",
        "Already linked to another account":
            "Ya está vinculada a otra cuenta",
        "The account at the provider is linked to another account of this site. Nothing was changed.":
            "La cuenta del proveedor está vinculada a otra cuenta de este sitio. No se ha cambiado nada.",
        "Sign in to the other account, or link another one.":
            "Inicie sesión en la otra cuenta o vincule una distinta.",
        "This provider is not linked":
            "Este proveedor no está vinculado",
        "Your account is not linked to this provider. Perhaps you removed it in another window.":
            "Su cuenta no está vinculada a este proveedor. Quizá lo quitó en otra ventana.",
        "Look up its ways to sign in on your account page.":
            "Consulte sus formas de iniciar sesión en la página de su cuenta.",
        "Your only way to sign in stays":
            "Su única forma de iniciar sesión se conserva",
        "Without it, you could not sign in again. Nothing was changed.":
            "Sin ella no podría volver a iniciar sesión. No se ha cambiado nada.",
        "Add another way to sign in before you remove this one.":
            "Añada otra forma de iniciar sesión antes de quitar esta.",
        "This is a different account":
            "Esta es otra cuenta",
        "You signed in to another account than the one that you are using. Nothing was changed.":
            "Ha iniciado sesión en una cuenta distinta de la que está usando. No se ha cambiado nada.",
        "Sign in again to the account that you are using.":
            "Inicie sesión de nuevo en la cuenta que está usando.",
        "The sign-in failed":
            "No se pudo iniciar sesión",
        "The e-mail address or the password is wrong, or the passkey was not accepted.":
            "La dirección de correo o la contraseña es incorrecta, o no se ha aceptado la clave de acceso.",
        "Check what you entered and try again. If you forgot the password, reset it.":
            "Compruebe los datos introducidos e inténtelo de nuevo. Si ha olvidado la contraseña, restablézcala.",
        "The password is too weak":
            "La contraseña es demasiado débil",
        "The password is too short, too long or too common.":
            "La contraseña es demasiado corta, demasiado larga o demasiado común.",
        "Go back and choose another password.":
            "Vuelva atrás y elija otra contraseña.",
        "Too many attempts":
            "Demasiados intentos",
        "There were too many attempts for this address, or from your network.":
            "Ha habido demasiados intentos para esta dirección o desde su red.",
        "Wait some minutes, then try again.":
            "Espere unos minutos y vuelva a intentarlo.",
        "Your e-mail address is not confirmed":
            "Su dirección de correo no está confirmada",
        "This step needs an account with a confirmed e-mail address.":
            "Este paso necesita una cuenta con una dirección de correo confirmada.",
        "Open the link in the mail that we sent you. You can request a new one on your account page.":
            "Abra el enlace del correo que le enviamos. Puede pedir uno nuevo en la página de su cuenta.",
        "There is nothing to link":
            "No hay nada que vincular",
        "The question has expired, or it was already answered.":
            "La pregunta ha caducado o ya se respondió.",
        "To link a provider, sign in with it again, or add it on your account page.":
            "Para vincular un proveedor, inicie sesión con él de nuevo o añádalo en la página de su cuenta.",
    ]
}
