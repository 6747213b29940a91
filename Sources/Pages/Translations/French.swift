extension Translations {
    static let french: [String: String] = [
        "You do not have access to this page":
            "Vous n’avez pas accès à cette page",
        "You are signed in, but your account is not allowed to open this page.":
            "Vous êtes connecté, mais votre compte n’est pas autorisé à ouvrir cette page.",
        "Use another account, or ask the site's administrator for access.":
            "Utilisez un autre compte, ou demandez l’accès aux responsables de ce site.",
        "Please sign in":
            "Veuillez vous connecter",
        "You need to sign in to open this page.":
            "Vous devez vous connecter pour ouvrir cette page.",
        "After you sign in, you return to this page.":
            "Après la connexion, vous reviendrez sur cette page.",
        "Please sign in again":
            "Veuillez vous reconnecter",
        "A stronger sign-in is required":
            "Une connexion plus forte est requise",
        "This page requires a stronger sign-in than the one you made.":
            "Cette page exige une connexion plus forte que la vôtre.",
        "Sign in again with a stronger method, such as a security key.":
            "Reconnectez-vous avec une méthode plus forte, par exemple une clé de sécurité.",
        "This page requires a recent sign-in, and your last one is too old.":
            "Cette page exige une connexion récente, et la vôtre est trop ancienne.",
        "Sign in again to continue.":
            "Reconnectez-vous pour continuer.",
        "Your session has ended":
            "Votre session est terminée",
        "A request from another site was blocked":
            "Une requête d’un autre site a été bloquée",
        "A page of another site, or a program, tried to change something here with your session. Nothing was changed.":
            "Une page d’un autre site, ou un programme, a tenté de modifier quelque chose ici avec votre session. Rien n’a été modifié.",
        "If you intended this, open this site and repeat the step there.":
            "Si c’était votre intention, ouvrez ce site et refaites l’étape.",
        "You were inactive for too long, or you signed out in another window.":
            "Vous êtes resté inactif trop longtemps, ou vous vous êtes déconnecté dans une autre fenêtre.",
        "Sign in again to continue where you left off.":
            "Reconnectez-vous pour reprendre où vous en étiez.",
        "A second factor is required":
            "Un second facteur est requis",
        "This page requires a second factor, and you signed in without one.":
            "Cette page exige un second facteur, et vous vous êtes connecté sans en utiliser.",
        "Sign in again and confirm with your second factor.":
            "Reconnectez-vous et confirmez avec votre second facteur.",
        "The sign-in was not allowed":
            "La connexion n’a pas été autorisée",
        "The provider refused the sign-in, or it was cancelled there.":
            "Le fournisseur a refusé la connexion, ou elle y a été annulée.",
        "If you cancelled by mistake, sign in again. Otherwise your account may not have access.":
            "Si vous avez annulé par erreur, reconnectez-vous. Sinon, votre compte n’a peut-être pas accès.",
        "The sign-in could not be completed":
            "La connexion n’a pas pu aboutir",
        "The sign-in was started in another browser, or its cookie is missing.":
            "La connexion a été commencée dans un autre navigateur, ou son cookie est absent.",
        "Sign in again. If this happens again, allow cookies for this site.":
            "Reconnectez-vous. Si cela se reproduit, autorisez les cookies de ce site.",
        "The sign-in took too long, or it was already completed.":
            "La connexion a pris trop de temps, ou elle était déjà terminée.",
        "Sign in again.":
            "Reconnectez-vous.",
        "The response came from a different provider than the one you chose, so it was rejected.":
            "La réponse est venue d’un autre fournisseur que celui que vous aviez choisi ; elle a donc été refusée.",
        "Sign in again. If this happens again, tell the site's administrator.":
            "Reconnectez-vous. Si cela se reproduit, prévenez les responsables de ce site.",
        "The provider needs your input":
            "Le fournisseur a besoin d’une réponse de votre part",
        "The provider could not sign you in without showing you a page.":
            "Le fournisseur n’a pas pu vous connecter sans vous montrer une page.",
        "Sign in again and follow the provider's instructions.":
            "Reconnectez-vous et suivez les instructions du fournisseur.",
        "The provider's response was incomplete or contradictory.":
            "La réponse du fournisseur était incomplète ou contradictoire.",
        "This link does not work":
            "Ce lien ne fonctionne pas",
        "A part of the address is missing, repeated or not allowed.":
            "Une partie de l’adresse manque, est en double ou n’est pas autorisée.",
        "Go to the start page and try from there.":
            "Allez à la page d’accueil et réessayez de là.",
        "This form has expired":
            "Ce formulaire a expiré",
        "The form was opened too long ago, or it belongs to another session. Nothing was changed.":
            "Le formulaire a été ouvert il y a trop longtemps ou appartient à une autre session. Rien n’a été modifié.",
        "Open the page again and repeat the step.":
            "Rouvrez la page et refaites l’étape.",
        "Unknown provider":
            "Fournisseur inconnu",
        "The provider in this address is not configured on this site, or it is disabled.":
            "Le fournisseur de cette adresse n’est pas configuré sur ce site, ou il est désactivé.",
        "Choose one of the providers of this site.":
            "Choisissez l’un des fournisseurs de ce site.",
        "The provider could not sign you in":
            "Le fournisseur n’a pas pu vous connecter",
        "The provider returned an error.":
            "Le fournisseur a renvoyé une erreur.",
        "Try again in a moment. If it still fails, tell the site's administrator.":
            "Réessayez dans un instant. Si cela persiste, prévenez les responsables de ce site.",
        "The provider's response failed verification":
            "La réponse du fournisseur n’a pas pu être vérifiée",
        "The information that the provider sent about you failed a security check, so it was rejected.":
            "Les informations du fournisseur à votre sujet n’ont pas passé un contrôle de sécurité et ont été refusées.",
        "Try again. If it still fails, tell the site's administrator.":
            "Réessayez. Si cela persiste, prévenez les responsables de ce site.",
        "The provider confirmed the sign-in, but this site cannot use its response.":
            "Le fournisseur a confirmé la connexion, mais ce site ne peut pas utiliser sa réponse.",
        "The provider did not send usable information about your account.":
            "Le fournisseur n’a pas envoyé d’informations utilisables sur votre compte.",
        "Two responses of the provider name different accounts, so both were rejected.":
            "Deux réponses du fournisseur désignent des comptes différents ; les deux ont été refusées.",
        "The provider cannot be reached":
            "Le fournisseur est injoignable",
        "This site could not connect to the provider.":
            "Ce site n’a pas pu se connecter au fournisseur.",
        "Try again in a minute. Your account is not affected.":
            "Réessayez dans une minute. Votre compte n’est pas concerné.",
        "The provider takes too long":
            "Le fournisseur met trop de temps",
        "The provider did not respond in time.":
            "Le fournisseur n’a pas répondu à temps.",
        "Sessions are unavailable":
            "Les sessions ne sont pas disponibles",
        "The sign-out failed":
            "La déconnexion a échoué",
        "This site could not record that you signed out.":
            "Ce site n’a pas pu enregistrer votre déconnexion.",
        "Try again in a minute. On a shared computer, close the browser.":
            "Réessayez dans une minute. Sur un ordinateur partagé, fermez le navigateur.",
        "This site cannot reach its session store.":
            "Ce site ne peut pas accéder à son stockage de sessions.",
        "Try again in a minute. You have not been signed out.":
            "Réessayez dans une minute. Vous n’avez pas été déconnecté.",
        "The token was rejected":
            "Le jeton a été refusé",
        "The token is malformed, expired, issued for another site, or of a type that is not accepted here.":
            "Le jeton est mal formé, expiré, destiné à un autre site ou d’un type qui n’est pas accepté ici.",
        "Get a new token for this site and send it in the Authorization header.":
            "Obtenez un nouveau jeton pour ce site et envoyez-le dans l’en-tête Authorization.",
        "The token lacks a scope":
            "Il manque une portée au jeton",
        "The token is valid, but it lacks a scope that is required here.":
            "Le jeton est valable, mais il lui manque une portée nécessaire ici.",
        "Ask the provider for a token with the scopes of this API.":
            "Demandez au fournisseur un jeton avec les portées de cette API.",
        "The logout token was rejected":
            "Le jeton de déconnexion a été refusé",
        "The logout token is malformed, expired, already used or issued for another site.":
            "Le jeton de déconnexion est mal formé, expiré, déjà utilisé ou destiné à un autre site.",
        "Send a new logout token.":
            "Envoyez un nouveau jeton de déconnexion.",
        "The request was not understood":
            "La requête n’a pas été comprise",
        "Your browser or program sent a request that this site does not accept.":
            "Votre navigateur ou programme a envoyé une requête que ce site n’accepte pas.",
        "Check the address, or go to the start page.":
            "Vérifiez l’adresse, ou allez à la page d’accueil.",
        "The app cannot be reached":
            "L’application est injoignable",
        "The app behind this page did not send a usable response.":
            "L’application derrière cette page n’a pas envoyé de réponse utilisable.",
        "Try again in a minute. If it still fails, tell the site's administrator.":
            "Réessayez dans une minute. Si cela persiste, prévenez les responsables de ce site.",
        "Something went wrong":
            "Une erreur s’est produite",
        "An internal error occurred in the gateway. You did not cause it.":
            "Une erreur interne s’est produite dans la passerelle. Vous n’y êtes pour rien.",
        "The rules of this site do not allow this request.":
            "Les règles de ce site n’autorisent pas cette requête.",
        "If you need access, ask the site's administrator.":
            "Si vous avez besoin d’un accès, adressez-vous aux responsables de ce site.",
        "This page is not allowed to connect":
            "Cette page n’est pas autorisée à se connecter",
        "A page of another site tried to connect here with your session. The connection was refused.":
            "Une page d’un autre site a tenté de se connecter ici avec votre session. La connexion a été refusée.",
        "If the page is yours, serve it from this site's address.":
            "Si la page est à vous, servez-la depuis l’adresse de ce site.",
        "Page not found":
            "Page introuvable",
        "There is no page at this address.":
            "Il n’y a pas de page à cette adresse.",
        "Check the address for typing errors, or go to the start page.":
            "Vérifiez l’orthographe de l’adresse, ou allez à la page d’accueil.",
        "This request is not allowed here":
            "Cette requête n’est pas autorisée ici",
        "This address does not accept this kind of request.":
            "Cette adresse n’accepte pas ce type de requête.",
        "Go back and use the links or buttons of the page.":
            "Revenez en arrière et utilisez les liens ou les boutons de la page.",
        "The request took too long to arrive":
            "La requête a mis trop de temps à arriver",
        "Your browser or program did not finish sending the request in time.":
            "Votre navigateur ou programme n’a pas fini d’envoyer la requête à temps.",
        "Check your connection and try again.":
            "Vérifiez votre connexion et réessayez.",
        "The request is too large":
            "La requête est trop volumineuse",
        "You sent more data than this site accepts.":
            "Vous avez envoyé plus de données que ce site n’en accepte.",
        "Send less data, or ask the site's administrator to raise the limit.":
            "Envoyez moins de données, ou demandez aux responsables de ce site de relever la limite.",
        "The address is too long":
            "L’adresse est trop longue",
        "The address is longer than this site accepts.":
            "L’adresse est plus longue que ce que ce site accepte.",
        "Your program expects a feature that this site does not offer.":
            "Votre programme attend une fonction que ce site ne propose pas.",
        "Send the request without the Expect header.":
            "Envoyez la requête sans l’en-tête Expect.",
        "Wrong host name":
            "Nom d’hôte incorrect",
        "The host name in the address does not belong to this site.":
            "Le nom d’hôte de l’adresse n’appartient pas à ce site.",
        "Check the address for typing errors.":
            "Vérifiez l’orthographe de l’adresse.",
        "Too many requests":
            "Trop de requêtes",
        "There were too many requests in a short time.":
            "Il y a eu trop de requêtes en peu de temps.",
        "Wait a minute, then try again.":
            "Attendez une minute, puis réessayez.",
        "The headers of the request are too large":
            "Les en-têtes de la requête sont trop volumineux",
        "Your browser sent larger headers than this site accepts. Old cookies are the usual cause.":
            "Votre navigateur a envoyé des en-têtes plus volumineux que ce site n’en accepte. D’anciens cookies en sont la cause habituelle.",
        "Delete the cookies of this site and try again.":
            "Supprimez les cookies de ce site et réessayez.",
        "This request is not supported":
            "Cette requête n’est pas prise en charge",
        "The request uses a feature that this site does not support.":
            "La requête utilise une fonction que ce site ne prend pas en charge.",
        "Temporarily unavailable":
            "Momentanément indisponible",
        "This site records sign-ins and access, and it cannot write that record right now.":
            "Ce site tient un journal des connexions et des accès, et il ne peut pas l’écrire pour le moment.",
        "The site is busy or restarting":
            "Le site est occupé ou redémarre",
        "The site cannot process the request right now.":
            "Le site ne peut pas traiter la requête pour le moment.",
        "Try again in a minute.":
            "Réessayez dans une minute.",
        "The app is busy":
            "L’application est occupée",
        "The app behind this page is handling as many requests as it can.":
            "L’application derrière cette page traite déjà autant de requêtes qu’elle le peut.",
        "The app takes too long":
            "L’application met trop de temps",
        "The app behind this page did not respond in time. It may still be processing your request.":
            "L’application derrière cette page n’a pas répondu à temps. Elle traite peut-être encore votre requête.",
        "Wait a minute before you try again.":
            "Attendez une minute avant de réessayer.",
        "Your program uses an HTTP version that this site does not support.":
            "Votre programme utilise une version de HTTP que ce site ne prend pas en charge.",
        "Use HTTP/1.1 or HTTP/2.":
            "Utilisez HTTP/1.1 ou HTTP/2.",
        "The request went in a loop":
            "La requête est entrée dans une boucle",
        "The request came back to the gateway, because the app's address points to the gateway.":
            "La requête est revenue à la passerelle, car l’adresse de l’application pointe vers elle.",
        "Tell the site's administrator that an upstream points to the gateway itself.":
            "Prévenez les responsables de ce site qu’un upstream pointe vers la passerelle elle-même.",
        "Sign in":
            "Se connecter",
        "to continue to {site}":
            "pour continuer vers {site}",
        "Sign in with {provider}":
            "Se connecter avec {provider}",
        "Last used":
            "Utilisé la dernière fois",
        "No provider is enabled on this site. Please tell the site's administrator.":
            "Aucun fournisseur n’est activé sur ce site. Veuillez prévenir les responsables du site.",
        "Your session has ended. Sign in to continue where you left off.":
            "Votre session est terminée. Connectez-vous pour reprendre où vous en étiez.",
        "This page requires a recent sign-in. Please sign in again.":
            "Cette page exige une connexion récente. Veuillez vous reconnecter.",
        "The sign-in took too long, or it was already used. Please sign in again.":
            "La connexion a pris trop de temps, ou elle a déjà été utilisée. Veuillez vous reconnecter.",
        "This provider cannot be reached right now. Try again in a moment, or choose another provider.":
            "Ce fournisseur est injoignable pour le moment. Réessayez dans un instant ou choisissez-en un autre.",
        "Your entries were not sent. Sign in first. Then go back to the form with the browser's Back button and send it again.":
            "Votre saisie n’a pas été envoyée. Connectez-vous d’abord. Revenez ensuite au formulaire avec le bouton Précédent du navigateur et renvoyez-le.",
        "Sign out?":
            "Se déconnecter ?",
        "Sign out":
            "Se déconnecter",
        "You are signed in.":
            "Vous êtes connecté.",
        "You are signed in as {name}.":
            "Vous êtes connecté en tant que {name}.",
        "Stay signed in":
            "Rester connecté",
        "You are signed out":
            "Vous êtes déconnecté",
        "You are not signed in":
            "Vous n’êtes pas connecté",
        "Your session has ended.":
            "Votre session est terminée.",
        "You may still be signed in to {provider}. On a shared computer, sign out there too.":
            "Vous êtes peut-être encore connecté chez {provider}. Sur un ordinateur partagé, déconnectez-vous là aussi.",
        "There is no session to end.":
            "Il n’y a aucune session à fermer.",
        "Sign in again":
            "Se reconnecter",
        "Use another account":
            "Utiliser un autre compte",
        "Try again":
            "Réessayer",
        "Go to the start page":
            "Aller à la page d’accueil",
        "Code":
            "Code",
        "Status":
            "Statut",
        "Request ID":
            "ID de requête",
        "Provider":
            "Fournisseur",
        "If you ask for help, include the code and the request ID above.":
            "Si vous demandez de l’aide, indiquez le code et l’ID de requête ci-dessus.",
        "Help":
            "Aide",
        "Privacy":
            "Confidentialité",
        "Signed in as":
            "Connecté en tant que",
        "By this site's clock, the provider's response expired {seconds} seconds ago. The clock may be wrong.":
            "D’après l’horloge de ce site, la réponse du fournisseur a expiré il y a {seconds} secondes. L’horloge est peut-être déréglée.",
        "By this site's clock, the provider's response is {seconds} seconds old. The clock may be wrong.":
            "D’après l’horloge de ce site, la réponse du fournisseur date d’il y a {seconds} secondes. L’horloge est peut-être déréglée.",
        "By this site's clock, the provider's response is from {seconds} seconds in the future. The clock may be wrong.":
            "D’après l’horloge de ce site, la réponse du fournisseur est en avance de {seconds} secondes. L’horloge est peut-être déréglée.",
        "This way of signing in does not work here":
            "Ce mode de connexion ne fonctionne pas ici",
        "Your browser or program tried to sign in to the app with NTLM or Negotiate, which need a connection of their own. It uses HTTP/2, or a proxy shares its connection among users.":
            "Votre navigateur ou programme a essayé de se connecter à l’application avec NTLM ou Negotiate, qui exigent une connexion réseau dédiée. Il utilise HTTP/2, ou un proxy partage sa connexion entre plusieurs utilisateurs.",
        "Use HTTP/1.1 without a proxy in between, or tell the site's administrator.":
            "Utilisez HTTP/1.1 sans proxy intermédiaire, ou prévenez les responsables de ce site.",
    ]
}
