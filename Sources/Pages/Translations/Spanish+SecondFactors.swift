extension Translations {
    static let spanishSecondFactors: [String: String] = [
        "Confirm your sign-in":
            "Confirme su inicio de sesión",
        "Enter the 6-digit code that your authenticator app shows for {site}.":
            "Introduzca el código de 6 cifras que su aplicación de autenticación muestra para {site}.",
        "Use the passkey or security key that you added to your account.":
            "Use la clave de acceso o la llave de seguridad que añadió a su cuenta.",
        "Enter the 6-digit code that we sent to {phone}.":
            "Introduzca el código de 6 cifras que hemos enviado al {phone}.",
        "We send a code to {phone}.":
            "Enviamos un código al {phone}.",
        "Enter one of your recovery codes. Each code works once.":
            "Introduzca uno de sus códigos de recuperación. Cada código funciona una vez.",
        "6-digit code":
            "Código de 6 cifras",
        "Recovery code":
            "Código de recuperación",
        "Send the message":
            "Enviar el mensaje",
        "Use passkey":
            "Usar la clave de acceso",
        "Confirm":
            "Confirmar",
        "Send another message":
            "Enviar otro mensaje",
        "Do not ask again on this browser for {days} days":
            "No volver a preguntar en este navegador durante {days} días",
        "If you cannot use any of your second factors, ask the site's administrator.":
            "Si no puede usar ninguno de sus segundos factores, consulte a quienes administran este sitio.",
        "Authenticator app":
            "Aplicación de autenticación",
        "Passkey or security key":
            "Clave de acceso o llave de seguridad",
        "Text message":
            "SMS",
        "Recovery codes":
            "Códigos de recuperación",
        "No passkey was added. Try again, or add another kind of second factor.":
            "No se ha añadido ninguna clave de acceso. Inténtelo de nuevo o añada un segundo factor de otro tipo.",
        "The passkey was not used. Try again, or use another second factor.":
            "No se ha usado la clave de acceso. Inténtelo de nuevo o use otro segundo factor.",
        "Passkeys need JavaScript and a browser that supports them. Add another kind of second factor, or use another browser.":
            "Las claves de acceso necesitan JavaScript y un navegador compatible. Añada un segundo factor de otro tipo o use otro navegador.",
        "Passkeys need JavaScript and a browser that supports them. Use another second factor, or use another browser.":
            "Las claves de acceso necesitan JavaScript y un navegador compatible. Use otro segundo factor u otro navegador.",
        "Sign in with a passkey":
            "Iniciar sesión con una clave de acceso",
        "The passkey was not used. Try again, or sign in another way.":
            "No se ha usado la clave de acceso. Inténtelo de nuevo o inicie sesión de otra forma.",
        "Passkeys need JavaScript and a browser that supports them. Sign in another way, or use another browser.":
            "Las claves de acceso necesitan JavaScript y un navegador compatible. Inicie sesión de otra forma o use otro navegador.",
        "The passkey was not accepted. Try again, or sign in another way.":
            "No se ha aceptado la clave de acceso. Inténtelo de nuevo o inicie sesión de otra forma.",
        "This passkey is already a second factor of your account.":
            "Esta clave de acceso ya es un segundo factor de su cuenta.",
        "With a second factor, a stolen password is not enough to sign in.":
            "Con un segundo factor, una contraseña robada no basta para iniciar sesión.",
        "The second factor was added.":
            "Se ha añadido el segundo factor.",
        "The second factor was removed.":
            "Se ha quitado el segundo factor.",
        "This site requires a second factor. Add one to continue.":
            "Este sitio exige un segundo factor. Añada uno para continuar.",
        "To add or remove second factors, sign in again first.":
            "Para añadir o quitar segundos factores, inicie sesión de nuevo primero.",
        "To add a second factor, confirm your e-mail address first.":
            "Para añadir un segundo factor, confirme primero su dirección de correo.",
        "You use this site without an account. Add a way to sign in before you add a second factor.":
            "Usa este sitio sin cuenta. Añada una forma de iniciar sesión antes de añadir un segundo factor.",
        "Continue":
            "Continuar",
        "If you remove your last other second factor, the recovery codes are removed, too.":
            "Si quita su último otro segundo factor, también se quitan los códigos de recuperación.",
        "Codes left: {count}":
            "Códigos restantes: {count}",
        "An app on your phone or computer shows a new code every 30 seconds.":
            "Una aplicación en su teléfono u ordenador muestra un código nuevo cada 30 segundos.",
        "Set up an authenticator app":
            "Configurar una aplicación de autenticación",
        "Your device asks for your fingerprint, your face or a PIN, or you touch a security key.":
            "Su dispositivo le pide la huella, la cara o un PIN, o usted toca una llave de seguridad.",
        "Add a passkey":
            "Añadir una clave de acceso",
        "Phone number":
            "Número de teléfono",
        "We send a code to your phone when you sign in.":
            "Enviamos un código a su teléfono cuando inicia sesión.",
        "Ten codes that work once each, for when you cannot use your other second factors.":
            "Diez códigos que funcionan una vez cada uno, por si no puede usar sus otros segundos factores.",
        "You can create them after you add another second factor.":
            "Puede crearlos después de añadir otro segundo factor.",
        "New codes replace the ones that you have.":
            "Los códigos nuevos sustituyen a los que tiene.",
        "Create new recovery codes":
            "Crear códigos de recuperación nuevos",
        "Create recovery codes":
            "Crear códigos de recuperación",
        "Name (optional)":
            "Nombre (opcional)",
        "Add a second factor":
            "Añadir un segundo factor",
        "With the country code, such as +12025550123.":
            "Con el prefijo del país, por ejemplo +12025550123.",
        "Scan this QR code with an authenticator app.":
            "Escanee este código QR con una aplicación de autenticación.",
        "Then enter the code that the app shows.":
            "Después introduzca el código que muestra la aplicación.",
        "QR code with the secret":
            "Código QR con el secreto",
        "Enter this secret in an authenticator app:":
            "Introduzca este secreto en una aplicación de autenticación:",
        "Or enter this secret in the app:":
            "O introduzca este secreto en la aplicación:",
        "Open in an authenticator app":
            "Abrir en una aplicación de autenticación",
        "Add the app":
            "Añadir la aplicación",
        "Confirm your phone number":
            "Confirme su número de teléfono",
        "Your browser asks you to create a passkey or to use a security key.":
            "Su navegador le pide que cree una clave de acceso o que use una llave de seguridad.",
        "Create passkey":
            "Crear una clave de acceso",
        "The codes that you had before no longer work.":
            "Los códigos que tenía antes ya no funcionan.",
        "Your recovery codes":
            "Sus códigos de recuperación",
        "Each code works once, when you cannot use your other second factors.":
            "Cada código funciona una vez, cuando no puede usar sus otros segundos factores.",
        "Print this page, or store the codes in a password manager. They are not shown again.":
            "Imprima esta página o guarde los códigos en un gestor de contraseñas. No se vuelven a mostrar.",
        "I have stored them":
            "Los he guardado",
        "The code is wrong, or it was already used. Enter the current one.":
            "El código es incorrecto o ya se ha usado. Introduzca el actual.",
        "The passkey was not accepted. Try again, or use another second factor.":
            "No se ha aceptado la clave de acceso. Inténtelo de nuevo o use otro segundo factor.",
        "The code has expired. Enter a new one.":
            "El código ha caducado. Introduzca uno nuevo.",
        "Too many text messages were requested. You can request another one in a minute.":
            "Se han pedido demasiados mensajes. Puede pedir otro en un minuto.",
        "Too many text messages were requested. You can request another one in {minutes} minutes.":
            "Se han pedido demasiados mensajes. Puede pedir otro en {minutes} minutos.",
        "Enter the number with its country code, such as +12025550123.":
            "Introduzca el número con el prefijo del país, por ejemplo +12025550123.",
        "This second factor is already in use. Add another one.":
            "Este segundo factor ya está en uso. Añada otro.",
        "Your account has as many second factors as it can have. Remove one before you add another.":
            "Su cuenta ya tiene el número máximo de segundos factores. Quite uno antes de añadir otro.",
        "This step needs a second factor besides your sign-in.":
            "Este paso exige un segundo factor además del inicio de sesión.",
        "Continue with your second factor.":
            "Continúe con su segundo factor.",
        "The code is wrong":
            "El código es incorrecto",
        "The code is wrong, or it was already used.":
            "El código es incorrecto o ya se ha usado.",
        "Go back and enter the current code.":
            "Vuelva atrás e introduzca el código actual.",
        "The code has expired":
            "El código ha caducado",
        "The code is too old, or the step that it belongs to has ended.":
            "El código es demasiado antiguo, o el paso al que pertenece ha terminado.",
        "Sign in again and enter a new code.":
            "Inicie sesión de nuevo e introduzca un código nuevo.",
        "This second factor is already in use":
            "Este segundo factor ya está en uso",
        "It is already a second factor of an account on this site. Nothing was changed.":
            "Ya es un segundo factor de una cuenta de este sitio. No se ha cambiado nada.",
        "Add another second factor.":
            "Añada otro segundo factor.",
        "Too many second factors":
            "Demasiados segundos factores",
        "Your account has as many second factors as it can have.":
            "Su cuenta ya tiene el número máximo de segundos factores.",
        "Remove one before you add another.":
            "Quite uno antes de añadir otro.",
        "This second factor does not exist":
            "Este segundo factor no existe",
        "Your account has no such second factor. Perhaps you removed it in another window.":
            "Su cuenta no tiene ese segundo factor. Quizá lo quitó en otra ventana.",
        "Look up your second factors on your account page.":
            "Consulte sus segundos factores en la página de su cuenta.",
        "Add a way to sign in first":
            "Añada primero una forma de iniciar sesión",
        "An account without a way to sign in cannot have second factors.":
            "Una cuenta sin forma de iniciar sesión no puede tener segundos factores.",
        "Add a way to sign in on your account page.":
            "Añada una forma de iniciar sesión en la página de su cuenta.",
        "This phone number cannot be used":
            "Este número de teléfono no se puede usar",
        "The phone number is incomplete, or it has no country code.":
            "El número de teléfono está incompleto o no tiene prefijo del país.",
        "Go back and enter the number with its country code.":
            "Vuelva atrás e introduzca el número con el prefijo del país.",
        "This is not available":
            "Esto no está disponible",
        "This site does not offer this kind of second factor, or your account does not allow this.":
            "Este sitio no ofrece este tipo de segundo factor, o su cuenta no lo permite.",
        "Look at your account page for what you can do.":
            "Consulte en la página de su cuenta lo que es posible.",
        "A second factor was added to your account at {site}":
            "Se ha añadido un segundo factor a su cuenta en {site}",
        "Your account at {site} has a new second factor: {factor}.":
            "Su cuenta en {site} tiene un segundo factor nuevo: {factor}.",
        "If it was not you, remove it now, and check the ways to sign in of your account.":
            "Si no fue usted, quítelo ahora y compruebe las formas de iniciar sesión de su cuenta.",
        "A second factor was removed from your account at {site}":
            "Se ha quitado un segundo factor de su cuenta en {site}",
        "Your account at {site} no longer has this second factor: {factor}.":
            "Su cuenta en {site} ya no tiene este segundo factor: {factor}.",
    ]
}
