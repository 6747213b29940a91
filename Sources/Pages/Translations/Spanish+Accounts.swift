extension Translations {
    static let spanishAccounts: [String: String] = [
        "Your password was changed. Sign in with the new one.":
            "Su contraseña se ha cambiado. Inicie sesión con la nueva.",
        "Your e-mail address is confirmed. You can sign in now.":
            "Su dirección de correo está confirmada. Ya puede iniciar sesión.",
        "Your account was deleted.":
            "Su cuenta se ha eliminado.",
        "Continue without an account":
            "Continuar sin cuenta",
        "or":
            "o",
        "Go to your account":
            "Ir a su cuenta",
        "Your e-mail address is confirmed":
            "Su dirección de correo está confirmada",
        "Your e-mail address was changed":
            "Su dirección de correo se ha cambiado",
        "Your password was changed":
            "Su contraseña se ha cambiado",
        "Your account was deleted":
            "Su cuenta se ha eliminado",
        "You can use it to sign in, and we can reach you there.":
            "Puede usarla para iniciar sesión, y podemos contactar con usted en ella.",
        "From now on, mails go to the new address. Your other sessions have ended.":
            "A partir de ahora, los correos van a la dirección nueva. Sus otras sesiones han terminado.",
        "Your other sessions have ended. Sign in there with the new password.":
            "Sus otras sesiones han terminado. Inicie sesión en ellas con la contraseña nueva.",
        "Its ways to sign in and its sessions were deleted, too. The app may still hold data of its own about you.":
            "También se han eliminado sus formas de iniciar sesión y sus sesiones. La aplicación puede conservar datos propios sobre usted.",
        "Delete your account?":
            "¿Eliminar su cuenta?",
        "The account, its ways to sign in and all its sessions are deleted at once. This cannot be undone.":
            "La cuenta, sus formas de iniciar sesión y todas sus sesiones se eliminan de inmediato. Esto no se puede deshacer.",
        "The app may still hold data of its own about you.":
            "La aplicación puede conservar datos propios sobre usted.",
        "Delete the account for good":
            "Eliminar la cuenta definitivamente",
        "Keep the account":
            "Conservar la cuenta",
        "Send the confirmation mail again":
            "Enviar de nuevo el correo de confirmación",
        "Added on {date}":
            "Añadido el {date}",
        "Remove":
            "Quitar",
        "Link {provider}":
            "Vincular {provider}",
        "Remove {provider}":
            "Quitar {provider}",
        "New password":
            "Contraseña nueva",
        "Change password":
            "Cambiar la contraseña",
        "Set a password":
            "Establecer una contraseña",
        "New e-mail address":
            "Dirección de correo nueva",
        "Change address":
            "Cambiar la dirección",
        "Your other sessions end when the password changes.":
            "Sus otras sesiones terminan cuando cambia la contraseña.",
        "We send a link to the new address. The address changes when you open it, and your other sessions end.":
            "Enviamos un enlace a la dirección nueva. La dirección cambia cuando usted lo abre, y sus otras sesiones terminan.",
        "Change your e-mail address":
            "Cambiar la dirección de correo",
        "Manage second factors":
            "Gestionar los segundos factores",
        "Second factors":
            "Segundos factores",
        "Last used on {date}":
            "Usada por última vez el {date}",
        "Sessions":
            "Sesiones",
        "Sign out everywhere else":
            "Cerrar las demás sesiones",
        "Delete account":
            "Eliminar la cuenta",
        "Name":
            "Nombre",
        "confirmed":
            "confirmada",
        "not confirmed":
            "sin confirmar",
        "E-mail address":
            "Dirección de correo",
        "You use this site without an account. Add a way to sign in, so that you can come back from another browser.":
            "Usa este sitio sin cuenta. Añada una forma de iniciar sesión para poder volver desde otro navegador.",
        "User ID":
            "ID de usuario",
        "This is your only way to sign in. Add another one before you remove it.":
            "Es su única forma de iniciar sesión. Añada otra antes de quitarla.",
        "Add a way to sign in":
            "Añadir una forma de iniciar sesión",
        "Ways to sign in":
            "Formas de iniciar sesión",
        "E-mail and password":
            "Correo y contraseña",
        "You have no second factor. With one, a stolen password is not enough to sign in.":
            "No tiene un segundo factor. Con uno, una contraseña robada no basta para iniciar sesión.",
        "This session":
            "Esta sesión",
        "A page asks you for confirmation first.":
            "Antes, una página le pide confirmación.",
        "Your account":
            "Su cuenta",
        "To change your ways to sign in, your password or your address, sign in again first.":
            "Para cambiar sus formas de iniciar sesión, su contraseña o su dirección, inicie sesión de nuevo primero.",
        "The way to sign in was added.":
            "Se ha añadido la forma de iniciar sesión.",
        "The way to sign in was removed. Sessions that were made with it have ended.":
            "Se ha quitado la forma de iniciar sesión. Las sesiones iniciadas con ella han terminado.",
        "Your password was changed. Your other sessions have ended.":
            "Su contraseña se ha cambiado. Sus otras sesiones han terminado.",
        "Your e-mail address is confirmed.":
            "Su dirección de correo está confirmada.",
        "Your e-mail address was changed. Your other sessions have ended.":
            "Su dirección de correo se ha cambiado. Sus otras sesiones han terminado.",
        "The sessions have ended.":
            "Las sesiones han terminado.",
        "You signed in again. You can make changes now.":
            "Ha iniciado sesión de nuevo. Ya puede hacer cambios.",
        "You are signed in to the other account now.":
            "Ahora tiene la sesión iniciada en la otra cuenta.",
        "The way to sign in could not be added. Nothing was changed.":
            "No se ha podido añadir la forma de iniciar sesión. No se ha cambiado nada.",
        "The address belongs to an account that is linked to another {provider} account.":
            "La dirección pertenece a una cuenta que está vinculada a otra cuenta de {provider}.",
        "Sign in to that account in one of its ways, or ask the site's administrator.":
            "Inicie sesión en esa cuenta de una de sus formas o consulte a quienes administran este sitio.",
        "The address that {provider} sent belongs to an account, and {provider} is not linked to it.":
            "La dirección que envió {provider} pertenece a una cuenta, y {provider} no está vinculado a ella.",
        "An account with the address {email} exists, and {provider} is not linked to it.":
            "Existe una cuenta con la dirección {email}, y {provider} no está vinculado a ella.",
        "Sign in to that account the way you usually do. You are then asked whether to link {provider} to it.":
            "Inicie sesión en esa cuenta como lo hace siempre. Después se le pregunta si desea vincular {provider} a ella.",
        "Sign in to that account in one of its ways. You are then asked whether to link {provider} to it.":
            "Inicie sesión en esa cuenta de una de sus formas. Después se le pregunta si desea vincular {provider} a ella.",
        "This works in this browser for {minutes} minutes. If you do not sign in, nothing changes.":
            "Esto funciona en este navegador durante {minutes} minutos. Si no inicia sesión, no cambia nada.",
        "Link {provider} to your account?":
            "¿Vincular {provider} a su cuenta?",
        "A sign-in with {provider} in this browser met your account, because both have the same e-mail address.":
            "Un inicio de sesión con {provider} en este navegador encontró su cuenta, porque ambos tienen la misma dirección de correo.",
        "A sign-in with {provider} as {name} in this browser met your account, because both have the same e-mail address.":
            "Un inicio de sesión con {provider} como {name} en este navegador encontró su cuenta, porque ambos tienen la misma dirección de correo.",
        "{provider} has not confirmed that the address {email} belongs to that user.":
            "{provider} no ha confirmado que la dirección {email} pertenezca a ese usuario.",
        "If you link it, the user of that {provider} account can sign in to your account.":
            "Si la vincula, quien tenga esa cuenta de {provider} puede iniciar sesión en su cuenta.",
        "Choose No if you did not sign in with {provider} yourself.":
            "Elija No si no inició sesión usted mismo con {provider}.",
        "No, do not link":
            "No, no vincular",
        "Yes, link":
            "Sí, vincular",
        "{provider} is linked to another account of this site. Nothing was changed.":
            "{provider} está vinculado a otra cuenta de este sitio. No se ha cambiado nada.",
        "You can sign in to that account now. You then use that one instead of the one you are signed in to.":
            "Puede iniciar sesión en esa cuenta ahora. Entonces usará esa en lugar de la cuenta en la que tiene la sesión iniciada.",
        "Sign in to the other account":
            "Iniciar sesión en la otra cuenta",
        "Keep using this account":
            "Seguir con esta cuenta",
        "Cancel":
            "Cancelar",
        "Confirm that it is you":
            "Confirme que es usted",
        "The next step is sensitive. Sign in again to the same account to continue.":
            "El siguiente paso es delicado. Inicie sesión de nuevo en la misma cuenta para continuar.",
        "At least {count} characters. A few words that do not belong together are easy to remember.":
            "Al menos {count} caracteres. Unas palabras que no tengan relación entre sí son fáciles de recordar.",
        "The e-mail address or the password is wrong.":
            "La dirección de correo o la contraseña es incorrecta.",
        "There were too many attempts. Try again in a minute.":
            "Ha habido demasiados intentos. Inténtelo de nuevo en un minuto.",
        "There were too many attempts. Try again in {minutes} minutes.":
            "Ha habido demasiados intentos. Inténtelo de nuevo en {minutes} minutos.",
        "Enter a complete e-mail address, such as name@example.com.":
            "Escriba una dirección de correo completa, por ejemplo name@example.com.",
        "The password is too short. Use at least {count} characters.":
            "La contraseña es demasiado corta. Use al menos {count} caracteres.",
        "The password is too long. Use at most 1,024 bytes.":
            "La contraseña es demasiado larga. Use como máximo 1024 bytes.",
        "Many people use this password, so it is easy to guess. Choose another one.":
            "Muchas personas usan esta contraseña, así que es fácil de adivinar. Elija otra.",
        "Send the mail":
            "Enviar el correo",
        "Reset your password":
            "Restablecer su contraseña",
        "Enter the e-mail address of your account. We send you a link to choose a new password.":
            "Escriba la dirección de correo de su cuenta. Le enviaremos un enlace para elegir una contraseña nueva.",
        "Back to the sign-in":
            "Volver al inicio de sesión",
        "Choose a new password":
            "Elegir una contraseña nueva",
        "The change ends your sessions on all devices.":
            "El cambio termina sus sesiones en todos los dispositivos.",
        "Confirm address":
            "Confirmar la dirección",
        "Does the address {email} belong to you?":
            "¿La dirección {email} es suya?",
        "This confirms it for the account {account}. If that is not your account, do not confirm.":
            "La confirma para la cuenta {account}. Si no es su cuenta, no confirme.",
        "This confirms it for the registration that was begun in this browser. If you did not begin it, do not confirm.":
            "La confirma para el registro iniciado en este navegador. Si no lo inició usted, no confirme.",
        "To confirm the address {email}, enter the password of the account that it is for.":
            "Para confirmar la dirección {email}, introduzca la contraseña de la cuenta a la que corresponde.",
        "To confirm the address {email}, sign in to the account that it is for.":
            "Para confirmar la dirección {email}, inicie sesión en la cuenta a la que corresponde.",
        "You are signed in to another account in this browser.":
            "En este navegador tiene la sesión iniciada en otra cuenta.",
        "Sign in another way":
            "Iniciar sesión de otra forma",
        "I did not create this account":
            "Yo no creé esta cuenta",
        "I did not ask for this":
            "Yo no lo solicité",
        "If someone else created the account with your address, you can take it over. Its password, its other ways to sign in and its sessions are removed, and you choose a new password.":
            "Si otra persona creó la cuenta con su dirección, puede hacerse con ella. Se eliminan su contraseña, sus otras formas de iniciar sesión y sus sesiones, y usted elige una contraseña nueva.",
        "If you did not ask for this mail, you can make its link invalid. Nothing else changes.":
            "Si no solicitó este correo, puede invalidar su enlace. No cambia nada más.",
        "The link of the mail does not work any more. Nothing else was changed.":
            "El enlace del correo ya no funciona. No se ha cambiado nada más.",
        "Confirm your e-mail address":
            "Confirme su dirección de correo",
        "Password":
            "Contraseña",
        "Sign in with password":
            "Iniciar sesión con contraseña",
        "Forgot your password?":
            "¿Ha olvidado su contraseña?",
        "Create an account":
            "Crear una cuenta",
        "You will get a mail with a link that confirms your address.":
            "Recibirá un correo con un enlace que confirma su dirección.",
        "Sign in instead":
            "Prefiero iniciar sesión",
        "No mail after a few minutes? Look in the spam folder, and check the address for typing errors.":
            "¿No ha llegado el correo tras unos minutos? Mire en la carpeta de spam y revise si hay errores en la dirección.",
        "Check your mail":
            "Revise su correo",
        "We sent you a mail. Open the link in it to continue.":
            "Le hemos enviado un correo. Abra el enlace que contiene para continuar.",
        "If the address belongs to an account, we sent a mail to it. Open the link in it to choose a new password.":
            "Si la dirección pertenece a una cuenta, le hemos enviado un correo. Abra el enlace que contiene para elegir una contraseña nueva.",
        "We sent a mail to the new address. The address of your account changes when you open the link in it.":
            "Hemos enviado un correo a la dirección nueva. La dirección de su cuenta cambia cuando abre el enlace que contiene.",
        "Not available on this site":
            "No disponible en este sitio",
        "This site does not keep a list of sessions.":
            "Este sitio no lleva una lista de sesiones.",
        "To end the session of this browser, sign out.":
            "Para terminar la sesión de este navegador, cierre la sesión.",
        "This session does not exist":
            "Esta sesión no existe",
        "The session has ended already, or it is not one of yours. Nothing was changed.":
            "La sesión ya ha terminado o no es suya. No se ha cambiado nada.",
        "Open the list of your sessions again.":
            "Abra de nuevo la lista de sus sesiones.",
        "Unknown browser":
            "Navegador desconocido",
    ]
}
