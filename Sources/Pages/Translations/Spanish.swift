extension Translations {
    static let spanish: [String: String] = [
        "You do not have access to this page":
            "No tiene acceso a esta página",
        "You are signed in, but your account is not allowed to open this page.":
            "Ha iniciado sesión, pero su cuenta no tiene permiso para abrir esta página.",
        "Use another account, or ask the site's administrator for access.":
            "Use otra cuenta o pida acceso a quienes administran este sitio.",
        "Please sign in":
            "Inicie sesión",
        "You need to sign in to open this page.":
            "Debe iniciar sesión para abrir esta página.",
        "After you sign in, you return to this page.":
            "Después de iniciar sesión, volverá a esta página.",
        "Please sign in again":
            "Inicie sesión de nuevo",
        "A stronger sign-in is required":
            "Se requiere un inicio de sesión más seguro",
        "This page requires a stronger sign-in than the one you made.":
            "Esta página requiere un inicio de sesión más seguro que el que ha hecho.",
        "Sign in again with a stronger method, such as a security key.":
            "Inicie sesión de nuevo con un método más seguro, por ejemplo con una llave de seguridad.",
        "This page requires a recent sign-in, and your last one is too old.":
            "Esta página requiere un inicio de sesión reciente, y el último que hizo es demasiado antiguo.",
        "Sign in again to continue.":
            "Inicie sesión de nuevo para continuar.",
        "Your session has ended":
            "Su sesión ha terminado",
        "A request from another site was blocked":
            "Se bloqueó una petición de otro sitio",
        "A page of another site, or a program, tried to change something here with your session. Nothing was changed.":
            "Una página de otro sitio, o un programa, intentó cambiar algo aquí con su sesión. No se cambió nada.",
        "If you intended this, open this site and repeat the step there.":
            "Si era su intención, abra este sitio y repita el paso allí.",
        "You were inactive for too long, or you signed out in another window.":
            "Pasó demasiado tiempo sin actividad, o cerró la sesión en otra ventana.",
        "Sign in again to continue where you left off.":
            "Inicie sesión de nuevo para continuar donde estaba.",
        "A second factor is required":
            "Se requiere un segundo factor",
        "This page requires a second factor, and you signed in without one.":
            "Esta página requiere un segundo factor, y usted inició sesión sin él.",
        "Sign in again and confirm with your second factor.":
            "Inicie sesión de nuevo y confirme con su segundo factor.",
        "The sign-in was not allowed":
            "No se permitió el inicio de sesión",
        "The provider refused the sign-in, or it was cancelled there.":
            "El proveedor rechazó el inicio de sesión, o este se canceló allí.",
        "If you cancelled by mistake, sign in again. Otherwise your account may not have access.":
            "Si lo canceló por error, inicie sesión de nuevo. Si no, puede que su cuenta no tenga acceso.",
        "The sign-in could not be completed":
            "No se pudo completar el inicio de sesión",
        "The sign-in was started in another browser, or its cookie is missing.":
            "El inicio de sesión se empezó en otro navegador, o falta su cookie.",
        "Sign in again. If this happens again, allow cookies for this site.":
            "Inicie sesión de nuevo. Si vuelve a ocurrir, permita las cookies de este sitio.",
        "The sign-in took too long, or it was already completed.":
            "El inicio de sesión tardó demasiado o ya se había completado.",
        "Sign in again.":
            "Inicie sesión de nuevo.",
        "The response came from a different provider than the one you chose, so it was rejected.":
            "La respuesta vino de un proveedor distinto del que usted eligió, así que se rechazó.",
        "Sign in again. If this happens again, tell the site's administrator.":
            "Inicie sesión de nuevo. Si vuelve a ocurrir, avise a quienes administran este sitio.",
        "The provider needs your input":
            "El proveedor necesita que responda algo",
        "The provider could not sign you in without showing you a page.":
            "El proveedor no pudo iniciar su sesión sin mostrarle una página.",
        "Sign in again and follow the provider's instructions.":
            "Inicie sesión de nuevo y siga las instrucciones del proveedor.",
        "The provider's response was incomplete or contradictory.":
            "La respuesta del proveedor estaba incompleta o era contradictoria.",
        "This link does not work":
            "Este enlace no funciona",
        "A part of the address is missing, repeated or not allowed.":
            "Una parte de la dirección falta, está repetida o no se permite.",
        "Go to the start page and try from there.":
            "Vaya a la página de inicio e inténtelo desde allí.",
        "This form has expired":
            "Este formulario ha caducado",
        "The form was opened too long ago, or it belongs to another session. Nothing was changed.":
            "El formulario se abrió hace demasiado tiempo o pertenece a otra sesión. No se cambió nada.",
        "Open the page again and repeat the step.":
            "Abra la página de nuevo y repita el paso.",
        "Unknown provider":
            "Proveedor desconocido",
        "The provider in this address is not configured on this site, or it is disabled.":
            "El proveedor de esta dirección no está configurado en este sitio o está desactivado.",
        "Choose one of the providers of this site.":
            "Elija uno de los proveedores de este sitio.",
        "The provider could not sign you in":
            "El proveedor no pudo iniciar su sesión",
        "The provider returned an error.":
            "El proveedor devolvió un error.",
        "Try again in a moment. If it still fails, tell the site's administrator.":
            "Inténtelo de nuevo en un momento. Si sigue fallando, avise a quienes administran este sitio.",
        "The provider's response failed verification":
            "La respuesta del proveedor no superó la comprobación",
        "The information that the provider sent about you failed a security check, so it was rejected.":
            "Los datos que el proveedor envió sobre usted no superaron una comprobación de seguridad y se rechazaron.",
        "Try again. If it still fails, tell the site's administrator.":
            "Inténtelo de nuevo. Si sigue fallando, avise a quienes administran este sitio.",
        "The provider confirmed the sign-in, but this site cannot use its response.":
            "El proveedor confirmó el inicio de sesión, pero este sitio no puede usar su respuesta.",
        "The provider did not send usable information about your account.":
            "El proveedor no envió datos utilizables sobre su cuenta.",
        "Two responses of the provider name different accounts, so both were rejected.":
            "Dos respuestas del proveedor nombran cuentas distintas, así que ambas se rechazaron.",
        "The provider cannot be reached":
            "No se puede contactar con el proveedor",
        "This site could not connect to the provider.":
            "Este sitio no pudo conectarse con el proveedor.",
        "Try again in a minute. Your account is not affected.":
            "Inténtelo de nuevo en un minuto. Su cuenta no está afectada.",
        "The provider takes too long":
            "El proveedor tarda demasiado",
        "The provider did not respond in time.":
            "El proveedor no respondió a tiempo.",
        "Sessions are unavailable":
            "Las sesiones no están disponibles",
        "The sign-out failed":
            "No se pudo cerrar la sesión",
        "This site could not record that you signed out.":
            "Este sitio no pudo registrar el cierre de sesión.",
        "Try again in a minute. On a shared computer, close the browser.":
            "Inténtelo de nuevo en un minuto. En un equipo compartido, cierre el navegador.",
        "This site cannot reach its session store.":
            "Este sitio no puede acceder a su almacén de sesiones.",
        "Try again in a minute. You have not been signed out.":
            "Inténtelo de nuevo en un minuto. No se ha cerrado su sesión.",
        "The token was rejected":
            "El token fue rechazado",
        "The token is malformed, expired, issued for another site, or of a type that is not accepted here.":
            "El token está mal formado, ha caducado, se emitió para otro sitio o es de un tipo que aquí no se acepta.",
        "Get a new token for this site and send it in the Authorization header.":
            "Obtenga un token nuevo para este sitio y envíelo en la cabecera Authorization.",
        "The token lacks a scope":
            "Al token le falta un ámbito",
        "The token is valid, but it lacks a scope that is required here.":
            "El token es válido, pero le falta un ámbito que aquí se necesita.",
        "Ask the provider for a token with the scopes of this API.":
            "Pida al proveedor un token con los ámbitos de esta API.",
        "The logout token was rejected":
            "El token de cierre de sesión fue rechazado",
        "The logout token is malformed, expired, already used or issued for another site.":
            "El token de cierre de sesión está mal formado, ha caducado, ya se usó o se emitió para otro sitio.",
        "Send a new logout token.":
            "Envíe un token de cierre de sesión nuevo.",
        "The request was not understood":
            "No se entendió la petición",
        "Your browser or program sent a request that this site does not accept.":
            "Su navegador o programa envió una petición que este sitio no acepta.",
        "Check the address, or go to the start page.":
            "Revise la dirección o vaya a la página de inicio.",
        "The app cannot be reached":
            "No se puede contactar con la aplicación",
        "The app behind this page did not send a usable response.":
            "La aplicación detrás de esta página no envió una respuesta utilizable.",
        "Try again in a minute. If it still fails, tell the site's administrator.":
            "Inténtelo de nuevo en un minuto. Si sigue fallando, avise a quienes administran este sitio.",
        "Something went wrong":
            "Algo salió mal",
        "An internal error occurred in the gateway. You did not cause it.":
            "Se produjo un error interno en la pasarela. Usted no lo causó.",
        "The rules of this site do not allow this request.":
            "Las reglas de este sitio no permiten esta petición.",
        "If you need access, ask the site's administrator.":
            "Si necesita acceso, pídalo a quienes administran este sitio.",
        "This page is not allowed to connect":
            "Esta página no tiene permiso para conectarse",
        "A page of another site tried to connect here with your session. The connection was refused.":
            "Una página de otro sitio intentó conectarse aquí con su sesión. Se rechazó la conexión.",
        "If the page is yours, serve it from this site's address.":
            "Si la página es suya, sírvala desde la dirección de este sitio.",
        "Page not found":
            "Página no encontrada",
        "There is no page at this address.":
            "No hay ninguna página en esta dirección.",
        "Check the address for typing errors, or go to the start page.":
            "Revise si hay un error en la dirección, o vaya a la página de inicio.",
        "This request is not allowed here":
            "Esta petición no está permitida aquí",
        "This address does not accept this kind of request.":
            "Esta dirección no acepta este tipo de petición.",
        "Go back and use the links or buttons of the page.":
            "Vuelva atrás y use los enlaces o botones de la página.",
        "The request took too long to arrive":
            "La petición tardó demasiado en llegar",
        "Your browser or program did not finish sending the request in time.":
            "Su navegador o programa no terminó de enviar la petición a tiempo.",
        "Check your connection and try again.":
            "Compruebe su conexión e inténtelo de nuevo.",
        "The request is too large":
            "La petición es demasiado grande",
        "You sent more data than this site accepts.":
            "Envió más datos de los que acepta este sitio.",
        "Send less data, or ask the site's administrator to raise the limit.":
            "Envíe menos datos, o pida a quienes administran este sitio que aumenten el límite.",
        "The address is too long":
            "La dirección es demasiado larga",
        "The address is longer than this site accepts.":
            "La dirección es más larga de lo que acepta este sitio.",
        "Your program expects a feature that this site does not offer.":
            "Su programa espera una función que este sitio no ofrece.",
        "Send the request without the Expect header.":
            "Envíe la petición sin la cabecera Expect.",
        "Wrong host name":
            "Nombre de host incorrecto",
        "The host name in the address does not belong to this site.":
            "El nombre de host de la dirección no pertenece a este sitio.",
        "Check the address for typing errors.":
            "Revise si hay un error en la dirección.",
        "Too many requests":
            "Demasiadas peticiones",
        "There were too many requests in a short time.":
            "Hubo demasiadas peticiones en poco tiempo.",
        "Wait a minute, then try again.":
            "Espere un minuto e inténtelo de nuevo.",
        "The headers of the request are too large":
            "Las cabeceras de la petición son demasiado grandes",
        "Your browser sent larger headers than this site accepts. Old cookies are the usual cause.":
            "Su navegador envió cabeceras más grandes de lo que acepta este sitio. La causa habitual son las cookies antiguas.",
        "Delete the cookies of this site and try again.":
            "Borre las cookies de este sitio e inténtelo de nuevo.",
        "This request is not supported":
            "Esta petición no es compatible",
        "The request uses a feature that this site does not support.":
            "La petición usa una función que este sitio no admite.",
        "Temporarily unavailable":
            "No disponible por el momento",
        "This site records sign-ins and access, and it cannot write that record right now.":
            "Este sitio guarda un registro de los inicios de sesión y de los accesos, y ahora mismo no puede escribirlo.",
        "The site is busy or restarting":
            "El sitio está ocupado o reiniciándose",
        "The site cannot process the request right now.":
            "El sitio no puede procesar la petición ahora mismo.",
        "Try again in a minute.":
            "Inténtelo de nuevo en un minuto.",
        "The app is busy":
            "La aplicación está ocupada",
        "The app behind this page is handling as many requests as it can.":
            "La aplicación detrás de esta página ya atiende tantas peticiones como puede.",
        "The app takes too long":
            "La aplicación tarda demasiado",
        "The app behind this page did not respond in time. It may still be processing your request.":
            "La aplicación detrás de esta página no respondió a tiempo. Puede que siga procesando su petición.",
        "Wait a minute before you try again.":
            "Espere un minuto antes de intentarlo de nuevo.",
        "Your program uses an HTTP version that this site does not support.":
            "Su programa usa una versión de HTTP que este sitio no admite.",
        "Use HTTP/1.1 or HTTP/2.":
            "Use HTTP/1.1 o HTTP/2.",
        "The request went in a loop":
            "La petición entró en un bucle",
        "The request came back to the gateway, because the app's address points to the gateway.":
            "La petición volvió a la pasarela, porque la dirección de la aplicación apunta a ella.",
        "Tell the site's administrator that an upstream points to the gateway itself.":
            "Avise a quienes administran este sitio de que un upstream apunta a la propia pasarela.",
        "Sign in":
            "Iniciar sesión",
        "to continue to {site}":
            "para continuar en {site}",
        "Sign in with {provider}":
            "Iniciar sesión con {provider}",
        "Last used":
            "Usado la última vez",
        "No provider is enabled on this site. Please tell the site's administrator.":
            "No hay ningún proveedor activado en este sitio. Avise a quienes lo administran.",
        "Your session has ended. Sign in to continue where you left off.":
            "Su sesión ha terminado. Inicie sesión para continuar donde estaba.",
        "This page requires a recent sign-in. Please sign in again.":
            "Esta página requiere un inicio de sesión reciente. Inicie sesión de nuevo.",
        "The sign-in took too long, or it was already used. Please sign in again.":
            "El inicio de sesión tardó demasiado o ya se había usado. Inicie sesión de nuevo.",
        "This provider cannot be reached right now. Try again in a moment, or choose another provider.":
            "No se puede contactar con ese proveedor ahora mismo. Inténtelo de nuevo en un momento o elija otro.",
        "Your entries were not sent. Sign in first. Then go back to the form with the browser's Back button and send it again.":
            "Lo que escribió no se ha enviado. Inicie sesión primero. Después vuelva al formulario con el botón Atrás del navegador y envíelo de nuevo.",
        "Sign out?":
            "¿Cerrar sesión?",
        "Sign out":
            "Cerrar sesión",
        "You are signed in.":
            "Ha iniciado sesión.",
        "You are signed in as {name}.":
            "Ha iniciado sesión como {name}.",
        "Stay signed in":
            "Seguir con la sesión",
        "You are signed out":
            "Ha cerrado la sesión",
        "You are not signed in":
            "No ha iniciado sesión",
        "Your session has ended.":
            "Su sesión ha terminado.",
        "You may still be signed in to {provider}. On a shared computer, sign out there too.":
            "Puede que siga con la sesión iniciada en {provider}. En un equipo compartido, ciérrela también allí.",
        "There is no session to end.":
            "No hay ninguna sesión que cerrar.",
        "Sign in again":
            "Iniciar sesión de nuevo",
        "Use another account":
            "Usar otra cuenta",
        "Try again":
            "Intentar de nuevo",
        "Go to the start page":
            "Ir a la página de inicio",
        "Code":
            "Código",
        "Status":
            "Estado",
        "Request ID":
            "ID de petición",
        "Provider":
            "Proveedor",
        "If you ask for help, include the code and the request ID above.":
            "Si pide ayuda, indique el código y el ID de petición que aparecen arriba.",
        "Help":
            "Ayuda",
        "Privacy":
            "Privacidad",
        "Signed in as":
            "Sesión iniciada como",
        "By this site's clock, the provider's response expired {seconds} seconds ago. The clock may be wrong.":
            "Según el reloj de este sitio, la respuesta del proveedor caducó hace {seconds} segundos. Puede que el reloj esté mal.",
        "By this site's clock, the provider's response is {seconds} seconds old. The clock may be wrong.":
            "Según el reloj de este sitio, la respuesta del proveedor tiene {seconds} segundos. Puede que el reloj esté mal.",
        "By this site's clock, the provider's response is from {seconds} seconds in the future. The clock may be wrong.":
            "Según el reloj de este sitio, la respuesta del proveedor está {seconds} segundos en el futuro. Puede que el reloj esté mal.",
        "This way of signing in does not work here":
            "Esta forma de iniciar sesión no funciona aquí",
        "Your browser or program tried to sign in to the app with NTLM or Negotiate, which need a connection of their own. It uses HTTP/2, or a proxy shares its connection among users.":
            "Su navegador o programa intentó iniciar sesión en la aplicación con NTLM o Negotiate, que necesitan una conexión propia. Usa HTTP/2, o un proxy comparte su conexión entre varios usuarios.",
        "Use HTTP/1.1 without a proxy in between, or tell the site's administrator.":
            "Use HTTP/1.1 sin un proxy intermedio o avise a quienes administran este sitio.",
    ]
}
