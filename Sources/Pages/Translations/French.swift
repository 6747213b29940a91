extension Translations {
    static let french: [String: String] = [
        "This page is not open to you":
            "Cette page ne vous est pas ouverte",
        "You are signed in, but your account is not on the list for this page.":
            "Vous êtes connecté, mais votre compte n’est pas sur la liste de cette page.",
        "If you have another account, use that one. Otherwise ask the people who run this site for access.":
            "Si vous avez un autre compte, utilisez-le. Sinon, demandez l’accès aux responsables de ce site.",
        "Please sign in":
            "Veuillez vous connecter",
        "This page is for people who are signed in.":
            "Cette page est réservée aux personnes connectées.",
        "Sign in, and you will come straight back.":
            "Connectez-vous et vous reviendrez directement ici.",
        "Please sign in once more":
            "Veuillez vous connecter encore une fois",
        "This page asks for a recent sign-in, and yours was a while ago.":
            "Cette page demande une connexion récente, et la vôtre date un peu.",
        "Sign in again to go on. Nothing else has changed.":
            "Reconnectez-vous pour continuer. Rien d’autre n’a changé.",
        "Your session has ended":
            "Votre session est terminée",
        "This did not come from here":
            "Cela ne venait pas d’ici",
        "Another site's page, or a program, tried to change something here with your session. Nothing was changed.":
            "Une page d’un autre site, ou un programme, a tenté de modifier quelque chose ici avec votre session. Rien n’a été modifié.",
        "If it was you, open this site and repeat the step there.":
            "Si c’était vous, ouvrez ce site et recommencez l’étape.",
        "You were away for a while, or signed out in another window.":
            "Vous vous êtes absenté un moment, ou déconnecté dans une autre fenêtre.",
        "Sign in again to go on where you were.":
            "Reconnectez-vous pour reprendre où vous en étiez.",
        "One more step is needed":
            "Il manque une étape",
        "This page asks for a sign-in with a second factor, and yours had none.":
            "Cette page demande une connexion avec un second facteur, et la vôtre n’en avait pas.",
        "Sign in again and confirm with your second factor.":
            "Reconnectez-vous et confirmez avec votre second facteur.",
        "The sign-in was not allowed":
            "La connexion n’a pas été autorisée",
        "The provider did not let this sign-in through, or it was cancelled there.":
            "Le fournisseur n’a pas laissé passer cette connexion, ou elle y a été annulée.",
        "If you cancelled by mistake, sign in again. If not, your account may lack access.":
            "Si vous avez annulé par erreur, reconnectez-vous. Sinon, votre compte n’a peut-être pas accès.",
        "This sign-in cannot be finished":
            "Cette connexion ne peut pas aboutir",
        "It was not started in this browser, or its cookie is gone.":
            "Elle n’a pas été commencée dans ce navigateur, ou son cookie a disparu.",
        "Start again from here. If it keeps happening, allow cookies for this site.":
            "Recommencez à partir d’ici. Si cela se reproduit, autorisez les cookies de ce site.",
        "It took too long, or it was finished already.":
            "Elle a pris trop de temps, ou elle était déjà terminée.",
        "Start again from here.":
            "Recommencez à partir d’ici.",
        "The answer came from another provider than the one you went to, so it was not accepted.":
            "La réponse est venue d’un autre fournisseur que celui que vous aviez choisi ; elle n’a donc pas été acceptée.",
        "Start again from here. If it happens again, tell the people who run this site.":
            "Recommencez à partir d’ici. Si cela se reproduit, prévenez les responsables de ce site.",
        "The provider wants to ask you something":
            "Le fournisseur souhaite vous demander quelque chose",
        "The provider could not sign you in without showing you a page of its own.":
            "Le fournisseur n’a pas pu vous connecter sans vous montrer une de ses pages.",
        "Sign in again and follow what the provider asks.":
            "Reconnectez-vous et suivez ce que le fournisseur demande.",
        "The answer that came back from the provider was incomplete or contradictory.":
            "La réponse du fournisseur était incomplète ou contradictoire.",
        "That link does not work":
            "Ce lien ne fonctionne pas",
        "Something in the address is missing, doubled or not allowed.":
            "Un élément de l’adresse manque, est en double ou n’est pas permis.",
        "Go to the start page and try from there.":
            "Allez à la page d’accueil et réessayez de là.",
        "That form is out of date":
            "Ce formulaire n’est plus valable",
        "The page you sent was opened too long ago or belongs to another session. Nothing was changed.":
            "La page envoyée a été ouverte il y a trop longtemps ou appartient à une autre session. Rien n’a été modifié.",
        "Open the page again and repeat the step.":
            "Rouvrez la page et refaites l’étape.",
        "There is no such sign-in here":
            "Cette connexion n’existe pas ici",
        "The provider in this address is not set up on this site, or is switched off.":
            "Le fournisseur de cette adresse n’est pas configuré sur ce site, ou il est désactivé.",
        "Choose one of the ways to sign in that this site offers.":
            "Choisissez l’une des connexions que ce site propose.",
        "The provider could not sign you in":
            "Le fournisseur n’a pas pu vous connecter",
        "The provider answered with an error of its own.":
            "Le fournisseur a répondu par une erreur de son côté.",
        "Try again in a moment. If it stays like this, the people who run this site need to look at it.":
            "Réessayez dans un instant. Si cela persiste, les responsables de ce site doivent s’en occuper.",
        "The provider's answer did not check out":
            "La réponse du fournisseur n’a pas passé la vérification",
        "What the provider said about you failed a security check, so it was not accepted.":
            "Ce que le fournisseur a dit de vous n’a pas passé un contrôle de sécurité ; ce n’a donc pas été accepté.",
        "Try again. If it stays like this, the people who run this site need to look at it.":
            "Réessayez. Si cela persiste, les responsables de ce site doivent s’en occuper.",
        "The provider confirmed the sign-in in a form that this site cannot use.":
            "Le fournisseur a confirmé la connexion sous une forme que ce site ne peut pas utiliser.",
        "The provider did not say in a usable form who you are.":
            "Le fournisseur n’a pas dit de façon exploitable qui vous êtes.",
        "Two answers of the provider were about different people, so neither was accepted.":
            "Deux réponses du fournisseur concernaient des personnes différentes ; aucune n’a été acceptée.",
        "The provider cannot be reached":
            "Le fournisseur est injoignable",
        "This site could not talk to the provider that signs you in.":
            "Ce site n’a pas pu joindre le fournisseur qui vous connecte.",
        "Try again in a minute. Your account is fine.":
            "Réessayez dans une minute. Votre compte n’a rien.",
        "The provider takes too long":
            "Le fournisseur met trop de temps",
        "The provider that signs you in did not answer in time.":
            "Le fournisseur qui vous connecte n’a pas répondu à temps.",
        "Sessions are not available":
            "Les sessions ne sont pas disponibles",
        "The sign-out did not work":
            "La déconnexion n’a pas fonctionné",
        "This site could not record that you signed out.":
            "Ce site n’a pas pu enregistrer votre déconnexion.",
        "Try again in a minute. On a shared computer, close the browser in any case.":
            "Réessayez dans une minute. Sur un ordinateur partagé, fermez le navigateur dans tous les cas.",
        "This site cannot reach the place where it keeps sessions.":
            "Ce site ne peut pas atteindre l’endroit où il garde les sessions.",
        "Try again in a minute. You have not been signed out.":
            "Réessayez dans une minute. Vous n’avez pas été déconnecté.",
        "That token was refused":
            "Ce jeton a été refusé",
        "The token is malformed, expired, not meant for this site, or of a kind that is not taken here.":
            "Le jeton est mal formé, expiré, destiné à un autre site ou d’un genre qui n’est pas accepté ici.",
        "Get a fresh token for this site and send it in the Authorization header.":
            "Obtenez un nouveau jeton pour ce site et envoyez-le dans l’en-tête Authorization.",
        "That token allows too little":
            "Ce jeton n’autorise pas assez",
        "The token is good, but it lacks a scope that is needed here.":
            "Le jeton est valable, mais il lui manque une portée nécessaire ici.",
        "Ask the provider for a token with the scopes of this API.":
            "Demandez au fournisseur un jeton avec les portées de cette API.",
        "That logout token was refused":
            "Ce jeton de déconnexion a été refusé",
        "The logout token is malformed, expired, used before or not meant for this site.":
            "Le jeton de déconnexion est mal formé, expiré, déjà utilisé ou n’est pas destiné à ce site.",
        "Send a fresh logout token.":
            "Envoyez un nouveau jeton de déconnexion.",
        "The request was not understood":
            "La requête n’a pas été comprise",
        "Your browser or program sent something that this site does not accept.":
            "Votre navigateur ou programme a envoyé quelque chose que ce site n’accepte pas.",
        "Check the address, or go to the start page.":
            "Vérifiez l’adresse, ou allez à la page d’accueil.",
        "The app cannot be reached":
            "L’application est injoignable",
        "You got this far, but the app behind this page did not give a usable answer.":
            "Vous êtes arrivé jusqu’ici, mais l’application derrière cette page n’a pas donné de réponse utilisable.",
        "Try again in a minute. If it stays like this, tell the people who run this site.":
            "Réessayez dans une minute. Si cela persiste, prévenez les responsables de ce site.",
        "Something went wrong here":
            "Quelque chose s’est mal passé ici",
        "The gateway ran into a fault of its own. It is not something you did.":
            "La passerelle a eu une défaillance. Vous n’y êtes pour rien.",
        "The rules of this site do not allow this request.":
            "Les règles de ce site n’autorisent pas cette requête.",
        "If you think they should, ask the people who run this site.":
            "Si vous pensez qu’elles le devraient, demandez aux responsables de ce site.",
        "This page may not connect here":
            "Cette page ne peut pas se connecter ici",
        "A page of another site tried to connect here with your session, and was not let in.":
            "Une page d’un autre site a tenté de se connecter ici avec votre session et a été refusée.",
        "If it is a page of yours, it must come from this site's own address.":
            "Si c’est l’une de vos pages, elle doit venir de l’adresse même de ce site.",
        "There is nothing here":
            "Il n’y a rien ici",
        "This address does not lead to a page.":
            "Cette adresse ne mène à aucune page.",
        "Check the address for a slip, or go to the start page.":
            "Vérifiez l’adresse, ou allez à la page d’accueil.",
        "That cannot be done here":
            "Ce n’est pas possible ici",
        "This address does not take that kind of request.":
            "Cette adresse n’accepte pas ce genre de requête.",
        "Go back and follow the links or buttons of the page.":
            "Revenez en arrière et suivez les liens ou les boutons de la page.",
        "The request took too long to arrive":
            "La requête a mis trop de temps à arriver",
        "Your browser or program did not finish sending in time.":
            "Votre navigateur ou programme n’a pas fini d’envoyer à temps.",
        "Check your connection and try again.":
            "Vérifiez votre connexion et réessayez.",
        "That is too large":
            "C’est trop volumineux",
        "What you sent is larger than this site accepts.":
            "Ce que vous avez envoyé dépasse ce que ce site accepte.",
        "Send something smaller, or ask the people who run this site to raise the limit.":
            "Envoyez quelque chose de plus petit, ou demandez aux responsables de ce site de relever la limite.",
        "That address is too long":
            "Cette adresse est trop longue",
        "The address is longer than this site accepts.":
            "L’adresse est plus longue que ce que ce site accepte.",
        "Your program expects something that this site does not offer.":
            "Votre programme attend quelque chose que ce site ne propose pas.",
        "Send the request without the Expect header.":
            "Envoyez la requête sans l’en-tête Expect.",
        "This is not the right place":
            "Ce n’est pas le bon endroit",
        "The name in the address does not belong to this site.":
            "Le nom de l’adresse n’appartient pas à ce site.",
        "Check the address for a slip.":
            "Vérifiez l’adresse.",
        "That was a lot at once":
            "C’était beaucoup à la fois",
        "There were too many requests in a short time.":
            "Il y a eu trop de requêtes en peu de temps.",
        "Wait a minute, then try again.":
            "Attendez une minute, puis réessayez.",
        "Your browser sent too much at once":
            "Votre navigateur a envoyé trop de choses à la fois",
        "The request's headers are larger than this site accepts. Most often that is old cookies.":
            "Les en-têtes de la requête dépassent ce que ce site accepte. Le plus souvent, ce sont d’anciens cookies.",
        "Delete the cookies of this site and try again.":
            "Supprimez les cookies de ce site et réessayez.",
        "That is not supported":
            "Ce n’est pas pris en charge",
        "The request uses a feature that this site does not support.":
            "La requête utilise une fonction que ce site ne prend pas en charge.",
        "Temporarily unavailable":
            "Momentanément indisponible",
        "This site keeps a record of sign-ins and access, and it cannot write that record at the moment.":
            "Ce site tient un journal des connexions et des accès, et il ne peut pas l’écrire pour le moment.",
        "The site is busy or restarting":
            "Le site est occupé ou redémarre",
        "The site cannot take the request right now.":
            "Le site ne peut pas prendre la requête pour le moment.",
        "Try again in a minute.":
            "Réessayez dans une minute.",
        "The app is busy":
            "L’application est occupée",
        "The app behind this page has as many requests as it can take.":
            "L’application derrière cette page a autant de requêtes qu’elle peut en traiter.",
        "The app takes too long":
            "L’application met trop de temps",
        "The app behind this page did not answer in time. It may still be working on what you sent.":
            "L’application derrière cette page n’a pas répondu à temps. Elle travaille peut-être encore à ce que vous avez envoyé.",
        "Wait a minute before you try again.":
            "Attendez une minute avant de réessayer.",
        "Your program speaks a version of HTTP that this site does not.":
            "Votre programme parle une version de HTTP que ce site ne parle pas.",
        "Use HTTP/1.1 or HTTP/2.":
            "Utilisez HTTP/1.1 ou HTTP/2.",
        "The request went in a circle":
            "La requête a tourné en rond",
        "The request came back to this gateway: the app's address leads here again.":
            "La requête est revenue à cette passerelle : l’adresse de l’application mène de nouveau ici.",
        "Tell the people who run this site: an upstream points at the gateway itself.":
            "Prévenez les responsables de ce site : un upstream pointe vers la passerelle elle-même.",
        "Sign in":
            "Se connecter",
        "to continue to {site}":
            "pour continuer vers {site}",
        "Continue with {provider}":
            "Continuer avec {provider}",
        "Last used":
            "Dernière utilisation",
        "No way to sign in is switched on here at the moment. Please tell the people who run this site.":
            "Aucune connexion n’est activée ici pour le moment. Veuillez prévenir les responsables de ce site.",
        "Your session has ended. Sign in to go on where you were.":
            "Votre session est terminée. Connectez-vous pour reprendre où vous en étiez.",
        "This page asks for a recent sign-in. Please sign in once more.":
            "Cette page demande une connexion récente. Veuillez vous connecter encore une fois.",
        "That sign-in took too long or was already used. Please start again.":
            "Cette connexion a pris trop de temps ou a déjà servi. Veuillez recommencer.",
        "That provider cannot be reached right now. Try again in a moment, or choose another one.":
            "Ce fournisseur est injoignable pour le moment. Réessayez dans un instant ou choisissez-en un autre.",
        "What you entered has not been sent. Your browser's Back button brings it back: sign in first, then send it again.":
            "Ce que vous avez saisi n’a pas été envoyé. Le bouton Précédent de votre navigateur le fait réapparaître : connectez-vous d’abord, puis renvoyez-le.",
        "Sign out?":
            "Se déconnecter ?",
        "Sign out":
            "Se déconnecter",
        "You are signed in to {site}.":
            "Vous êtes connecté à {site}.",
        "You are signed in to {site} as {name}.":
            "Vous êtes connecté à {site} en tant que {name}.",
        "Stay signed in":
            "Rester connecté",
        "You are signed out":
            "Vous êtes déconnecté",
        "You are not signed in":
            "Vous n’êtes pas connecté",
        "Your session at {site} has ended.":
            "Votre session sur {site} est terminée.",
        "You may still be signed in at {provider}. On a computer that others use, sign out there too.":
            "Vous êtes peut-être encore connecté chez {provider}. Sur un ordinateur partagé, déconnectez-vous là aussi.",
        "There is no session to end at {site}.":
            "Il n’y a pas de session à terminer sur {site}.",
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
        "Request":
            "Requête",
        "Provider":
            "Fournisseur",
        "If you ask for help, please pass on the code and the request number above.":
            "Si vous demandez de l’aide, transmettez le code et le numéro de requête ci-dessus.",
    ]
}
