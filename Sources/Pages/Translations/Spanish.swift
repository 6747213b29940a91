extension Translations {
    static let spanish: [String: String] = [
        "This page is not open to you":
            "Esta página no está abierta para usted",
        "You are signed in, but your account is not on the list for this page.":
            "Ha iniciado sesión, pero su cuenta no figura en la lista de esta página.",
        "If you have another account, use that one. Otherwise ask the people who run this site for access.":
            "Si tiene otra cuenta, use esa. Si no, pida acceso a quienes administran este sitio.",
        "Please sign in":
            "Inicie sesión",
        "This page is for people who are signed in.":
            "Esta página es para personas que han iniciado sesión.",
        "Sign in, and you will come straight back.":
            "Inicie sesión y volverá directamente aquí.",
        "Please sign in once more":
            "Inicie sesión una vez más",
        "This page asks for a recent sign-in, and yours was a while ago.":
            "Esta página pide un inicio de sesión reciente, y el suyo fue hace un rato.",
        "Sign in again to go on. Nothing else has changed.":
            "Inicie sesión de nuevo para continuar. Nada más ha cambiado.",
        "Your session has ended":
            "Su sesión ha terminado",
        "This did not come from here":
            "Esto no vino de aquí",
        "Another site's page, or a program, tried to change something here with your session. Nothing was changed.":
            "Una página de otro sitio, o un programa, intentó cambiar algo aquí con su sesión. No se cambió nada.",
        "If it was you, open this site and repeat the step there.":
            "Si fue usted, abra este sitio y repita el paso allí.",
        "You were away for a while, or signed out in another window.":
            "Estuvo ausente un rato o cerró la sesión en otra ventana.",
        "Sign in again to go on where you were.":
            "Inicie sesión de nuevo para continuar donde estaba.",
        "One more step is needed":
            "Falta un paso más",
        "This page asks for a sign-in with a second factor, and yours had none.":
            "Esta página pide un inicio de sesión con segundo factor, y el suyo no lo tuvo.",
        "Sign in again and confirm with your second factor.":
            "Inicie sesión de nuevo y confirme con su segundo factor.",
        "The sign-in was not allowed":
            "No se permitió el inicio de sesión",
        "The provider did not let this sign-in through, or it was cancelled there.":
            "El proveedor no permitió este inicio de sesión, o se canceló allí.",
        "If you cancelled by mistake, sign in again. If not, your account may lack access.":
            "Si lo canceló por error, inicie sesión de nuevo. Si no, puede que su cuenta no tenga acceso.",
        "This sign-in cannot be finished":
            "Este inicio de sesión no se puede completar",
        "It was not started in this browser, or its cookie is gone.":
            "No se inició en este navegador, o su cookie ha desaparecido.",
        "Start again from here. If it keeps happening, allow cookies for this site.":
            "Empiece de nuevo desde aquí. Si sigue ocurriendo, permita las cookies de este sitio.",
        "It took too long, or it was finished already.":
            "Tardó demasiado, o ya se había completado.",
        "Start again from here.":
            "Empiece de nuevo desde aquí.",
        "The answer came from another provider than the one you went to, so it was not accepted.":
            "La respuesta vino de un proveedor distinto del que usted eligió, así que no se aceptó.",
        "Start again from here. If it happens again, tell the people who run this site.":
            "Empiece de nuevo desde aquí. Si vuelve a ocurrir, avise a quienes administran este sitio.",
        "The provider wants to ask you something":
            "El proveedor quiere preguntarle algo",
        "The provider could not sign you in without showing you a page of its own.":
            "El proveedor no pudo iniciar su sesión sin mostrarle una página propia.",
        "Sign in again and follow what the provider asks.":
            "Inicie sesión de nuevo y siga lo que pide el proveedor.",
        "The answer that came back from the provider was incomplete or contradictory.":
            "La respuesta del proveedor llegó incompleta o contradictoria.",
        "That link does not work":
            "Ese enlace no funciona",
        "Something in the address is missing, doubled or not allowed.":
            "Algo en la dirección falta, está repetido o no se permite.",
        "Go to the start page and try from there.":
            "Vaya a la página de inicio e inténtelo desde allí.",
        "That form is out of date":
            "Ese formulario ha caducado",
        "The page you sent was opened too long ago or belongs to another session. Nothing was changed.":
            "La página que envió se abrió hace demasiado tiempo o pertenece a otra sesión. No se cambió nada.",
        "Open the page again and repeat the step.":
            "Abra la página de nuevo y repita el paso.",
        "There is no such sign-in here":
            "Aquí no existe ese inicio de sesión",
        "The provider in this address is not set up on this site, or is switched off.":
            "El proveedor de esta dirección no está configurado en este sitio o está desactivado.",
        "Choose one of the ways to sign in that this site offers.":
            "Elija una de las formas de iniciar sesión que ofrece este sitio.",
        "The provider could not sign you in":
            "El proveedor no pudo iniciar su sesión",
        "The provider answered with an error of its own.":
            "El proveedor respondió con un error propio.",
        "Try again in a moment. If it stays like this, the people who run this site need to look at it.":
            "Inténtelo de nuevo en un momento. Si sigue igual, quienes administran este sitio deben revisarlo.",
        "The provider's answer did not check out":
            "La respuesta del proveedor no superó la comprobación",
        "What the provider said about you failed a security check, so it was not accepted.":
            "Lo que el proveedor dijo sobre usted no superó una comprobación de seguridad, así que no se aceptó.",
        "Try again. If it stays like this, the people who run this site need to look at it.":
            "Inténtelo de nuevo. Si sigue igual, quienes administran este sitio deben revisarlo.",
        "The provider confirmed the sign-in in a form that this site cannot use.":
            "El proveedor confirmó el inicio de sesión en una forma que este sitio no puede usar.",
        "The provider did not say in a usable form who you are.":
            "El proveedor no dijo de forma utilizable quién es usted.",
        "Two answers of the provider were about different people, so neither was accepted.":
            "Dos respuestas del proveedor trataban de personas distintas, así que no se aceptó ninguna.",
        "The provider cannot be reached":
            "No se puede contactar con el proveedor",
        "This site could not talk to the provider that signs you in.":
            "Este sitio no pudo comunicarse con el proveedor que inicia su sesión.",
        "Try again in a minute. Your account is fine.":
            "Inténtelo de nuevo en un minuto. Su cuenta está bien.",
        "The provider takes too long":
            "El proveedor tarda demasiado",
        "The provider that signs you in did not answer in time.":
            "El proveedor que inicia su sesión no respondió a tiempo.",
        "Sessions are not available":
            "Las sesiones no están disponibles",
        "The sign-out did not work":
            "No se pudo cerrar la sesión",
        "This site could not record that you signed out.":
            "Este sitio no pudo registrar que usted cerró la sesión.",
        "Try again in a minute. On a shared computer, close the browser in any case.":
            "Inténtelo de nuevo en un minuto. En un equipo compartido, cierre el navegador en cualquier caso.",
        "This site cannot reach the place where it keeps sessions.":
            "Este sitio no puede llegar al lugar donde guarda las sesiones.",
        "Try again in a minute. You have not been signed out.":
            "Inténtelo de nuevo en un minuto. No se ha cerrado su sesión.",
        "That token was refused":
            "Se rechazó ese token",
        "The token is malformed, expired, not meant for this site, or of a kind that is not taken here.":
            "El token está mal formado, ha caducado, no es para este sitio o es de un tipo que aquí no se acepta.",
        "Get a fresh token for this site and send it in the Authorization header.":
            "Obtenga un token nuevo para este sitio y envíelo en la cabecera Authorization.",
        "That token allows too little":
            "Ese token permite demasiado poco",
        "The token is good, but it lacks a scope that is needed here.":
            "El token es válido, pero le falta un ámbito que aquí se necesita.",
        "Ask the provider for a token with the scopes of this API.":
            "Pida al proveedor un token con los ámbitos de esta API.",
        "That logout token was refused":
            "Ese token de cierre de sesión fue rechazado",
        "The logout token is malformed, expired, used before or not meant for this site.":
            "El token de cierre de sesión está mal formado, caducado, ya usado o no es para este sitio.",
        "Send a fresh logout token.":
            "Envíe un token de cierre de sesión nuevo.",
        "The request was not understood":
            "No se entendió la petición",
        "Your browser or program sent something that this site does not accept.":
            "Su navegador o programa envió algo que este sitio no acepta.",
        "Check the address, or go to the start page.":
            "Revise la dirección o vaya a la página de inicio.",
        "The app cannot be reached":
            "No se puede contactar con la aplicación",
        "You got this far, but the app behind this page did not give a usable answer.":
            "Usted llegó hasta aquí, pero la aplicación detrás de esta página no dio una respuesta utilizable.",
        "Try again in a minute. If it stays like this, tell the people who run this site.":
            "Inténtelo de nuevo en un minuto. Si sigue igual, avise a quienes administran este sitio.",
        "Something went wrong here":
            "Algo salió mal aquí",
        "The gateway ran into a fault of its own. It is not something you did.":
            "La pasarela tuvo un fallo propio. No es algo que usted hiciera.",
        "The rules of this site do not allow this request.":
            "Las reglas de este sitio no permiten esta petición.",
        "If you think they should, ask the people who run this site.":
            "Si cree que deberían, pregunte a quienes administran este sitio.",
        "This page may not connect here":
            "Esta página no puede conectarse aquí",
        "A page of another site tried to connect here with your session, and was not let in.":
            "Una página de otro sitio intentó conectarse aquí con su sesión y no se le permitió.",
        "If it is a page of yours, it must come from this site's own address.":
            "Si es una página suya, debe venir de la propia dirección de este sitio.",
        "There is nothing here":
            "Aquí no hay nada",
        "This address does not lead to a page.":
            "Esta dirección no lleva a ninguna página.",
        "Check the address for a slip, or go to the start page.":
            "Revise si hay un error en la dirección, o vaya a la página de inicio.",
        "That cannot be done here":
            "Eso no se puede hacer aquí",
        "This address does not take that kind of request.":
            "Esta dirección no admite ese tipo de petición.",
        "Go back and follow the links or buttons of the page.":
            "Vuelva atrás y siga los enlaces o botones de la página.",
        "The request took too long to arrive":
            "La petición tardó demasiado en llegar",
        "Your browser or program did not finish sending in time.":
            "Su navegador o programa no terminó de enviar a tiempo.",
        "Check your connection and try again.":
            "Compruebe su conexión e inténtelo de nuevo.",
        "That is too large":
            "Eso es demasiado grande",
        "What you sent is larger than this site accepts.":
            "Lo que envió es más grande de lo que acepta este sitio.",
        "Send something smaller, or ask the people who run this site to raise the limit.":
            "Envíe algo más pequeño, o pida a quienes administran este sitio que suban el límite.",
        "That address is too long":
            "Esa dirección es demasiado larga",
        "The address is longer than this site accepts.":
            "La dirección es más larga de lo que acepta este sitio.",
        "Your program expects something that this site does not offer.":
            "Su programa espera algo que este sitio no ofrece.",
        "Send the request without the Expect header.":
            "Envíe la petición sin la cabecera Expect.",
        "This is not the right place":
            "Este no es el lugar correcto",
        "The name in the address does not belong to this site.":
            "El nombre de la dirección no pertenece a este sitio.",
        "Check the address for a slip.":
            "Revise si hay un error en la dirección.",
        "That was a lot at once":
            "Eso fue mucho de una vez",
        "There were too many requests in a short time.":
            "Hubo demasiadas peticiones en poco tiempo.",
        "Wait a minute, then try again.":
            "Espere un minuto e inténtelo de nuevo.",
        "Your browser sent too much at once":
            "Su navegador envió demasiado de una vez",
        "The request's headers are larger than this site accepts. Most often that is old cookies.":
            "Las cabeceras de la petición son más grandes de lo que acepta este sitio. Casi siempre son cookies antiguas.",
        "Delete the cookies of this site and try again.":
            "Borre las cookies de este sitio e inténtelo de nuevo.",
        "That is not supported":
            "Eso no es compatible",
        "The request uses a feature that this site does not support.":
            "La petición usa algo que este sitio no admite.",
        "Temporarily unavailable":
            "No disponible por el momento",
        "This site keeps a record of sign-ins and access, and it cannot write that record at the moment.":
            "Este sitio guarda un registro de los inicios de sesión y de los accesos, y ahora mismo no puede escribirlo.",
        "The site is busy or restarting":
            "El sitio está ocupado o reiniciándose",
        "The site cannot take the request right now.":
            "El sitio no puede atender la petición ahora mismo.",
        "Try again in a minute.":
            "Inténtelo de nuevo en un minuto.",
        "The app is busy":
            "La aplicación está ocupada",
        "The app behind this page has as many requests as it can take.":
            "La aplicación detrás de esta página tiene tantas peticiones como puede atender.",
        "The app takes too long":
            "La aplicación tarda demasiado",
        "The app behind this page did not answer in time. It may still be working on what you sent.":
            "La aplicación detrás de esta página no respondió a tiempo. Puede que siga trabajando en lo que envió.",
        "Wait a minute before you try again.":
            "Espere un minuto antes de intentarlo de nuevo.",
        "Your program speaks a version of HTTP that this site does not.":
            "Su programa habla una versión de HTTP que este sitio no habla.",
        "Use HTTP/1.1 or HTTP/2.":
            "Use HTTP/1.1 o HTTP/2.",
        "The request went in a circle":
            "La petición dio una vuelta completa",
        "The request came back to this gateway: the app's address leads here again.":
            "La petición volvió a esta pasarela: la dirección de la aplicación lleva aquí de nuevo.",
        "Tell the people who run this site: an upstream points at the gateway itself.":
            "Avise a quienes administran este sitio: un upstream apunta a la propia pasarela.",
        "Sign in":
            "Iniciar sesión",
        "to continue to {site}":
            "para continuar en {site}",
        "Continue with {provider}":
            "Continuar con {provider}",
        "Last used":
            "Usado la última vez",
        "No way to sign in is switched on here at the moment. Please tell the people who run this site.":
            "En este momento no hay ninguna forma de iniciar sesión activada aquí. Avise a quienes administran este sitio.",
        "Your session has ended. Sign in to go on where you were.":
            "Su sesión ha terminado. Inicie sesión para continuar donde estaba.",
        "This page asks for a recent sign-in. Please sign in once more.":
            "Esta página pide un inicio de sesión reciente. Inicie sesión una vez más.",
        "That sign-in took too long or was already used. Please start again.":
            "Ese inicio de sesión tardó demasiado o ya se había usado. Empiece de nuevo.",
        "That provider cannot be reached right now. Try again in a moment, or choose another one.":
            "No se puede contactar con ese proveedor ahora mismo. Inténtelo de nuevo en un momento o elija otro.",
        "What you entered has not been sent. Your browser's Back button brings it back: sign in first, then send it again.":
            "Lo que ha escrito no se ha enviado. El botón Atrás del navegador lo recupera: primero inicie sesión y después envíelo de nuevo.",
        "Sign out?":
            "¿Cerrar sesión?",
        "Sign out":
            "Cerrar sesión",
        "You are signed in to {site}.":
            "Ha iniciado sesión en {site}.",
        "You are signed in to {site} as {name}.":
            "Ha iniciado sesión en {site} como {name}.",
        "Stay signed in":
            "Seguir con la sesión",
        "You are signed out":
            "Ha cerrado la sesión",
        "You are not signed in":
            "No ha iniciado sesión",
        "Your session at {site} has ended.":
            "Su sesión en {site} ha terminado.",
        "You may still be signed in at {provider}. On a computer that others use, sign out there too.":
            "Puede que siga con la sesión iniciada en {provider}. En un equipo compartido, ciérrela también allí.",
        "There is no session to end at {site}.":
            "No hay ninguna sesión que cerrar en {site}.",
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
        "Request":
            "Petición",
        "Provider":
            "Proveedor",
        "If you ask for help, please pass on the code and the request number above.":
            "Si pide ayuda, indique el código y el número de petición de arriba.",
    ]
}
