extension Translations {
    static let spanishMail: [String: String] = [
        "Confirm your e-mail address for {site}":
            "Confirme su dirección de correo para {site}",
        "Someone created an account at {site} with this address. If it was you, confirm the address.":
            "Alguien creó una cuenta en {site} con esta dirección. Si fue usted, confirme la dirección.",
        "If it was not you, open the link and say so there, or ignore this mail.":
            "Si no fue usted, abra el enlace e indíquelo allí, o ignore este correo.",
        "Reset your password for {site}":
            "Restablezca su contraseña de {site}",
        "Someone asked to reset the password of your account at {site}. If it was you, choose a new password.":
            "Alguien pidió restablecer la contraseña de su cuenta en {site}. Si fue usted, elija una contraseña nueva.",
        "If it was not you, ignore this mail. Your password stays as it is.":
            "Si no fue usted, ignore este correo. Su contraseña sigue siendo la misma.",
        "Confirm your new e-mail address for {site}":
            "Confirme su nueva dirección de correo para {site}",
        "Someone asked to use this address for an account at {site}. If it was you, confirm the address.":
            "Alguien pidió usar esta dirección para una cuenta en {site}. Si fue usted, confirme la dirección.",
        "If it was not you, ignore this mail. The account keeps its address.":
            "Si no fue usted, ignore este correo. La cuenta conserva su dirección.",
        "Your e-mail address at {site} was changed":
            "Su dirección de correo en {site} se ha cambiado",
        "Your account at {site} now has the address {new}. Mails about it no longer go to this address.":
            "Su cuenta en {site} tiene ahora la dirección {new}. Los correos sobre ella ya no van a esta dirección.",
        "If it was not you, check the ways to sign in of your account, and tell the site's administrator.":
            "Si no fue usted, revise las formas de iniciar sesión de su cuenta y avise a quienes administran el sitio.",
        "Your password for {site} was changed":
            "Su contraseña de {site} se ha cambiado",
        "The password of your account at {site} was changed. Your other sessions have ended.":
            "La contraseña de su cuenta en {site} se ha cambiado. Sus otras sesiones han terminado.",
        "If it was not you, reset your password now. Then check the ways to sign in of your account.":
            "Si no fue usted, restablezca su contraseña ahora. Después, revise las formas de iniciar sesión de su cuenta.",
        "A way to sign in was added to your account at {site}":
            "Se ha añadido una forma de iniciar sesión a su cuenta en {site}",
        "You can now sign in to your account at {site} with {provider}.":
            "Ahora puede iniciar sesión en su cuenta de {site} con {provider}.",
        "If it was not you, remove it from your account now.":
            "Si no fue usted, quítela de su cuenta ahora.",
        "You already have an account at {site}":
            "Ya tiene una cuenta en {site}",
        "Someone tried to create an account at {site} with this address. It already has one, so you can sign in as usual.":
            "Alguien intentó crear una cuenta en {site} con esta dirección. Ya existe una, así que puede iniciar sesión como siempre.",
        "If you forgot your password, you can reset it there. If it was not you, ignore this mail.":
            "Si ha olvidado su contraseña, puede restablecerla allí. Si no fue usted, ignore este correo.",
        "The link works once, within {minutes} minutes.":
            "El enlace funciona una vez, durante {minutes} minutos.",
        "This mail was sent to {email} because of an action at {site}.":
            "Este correo se envió a {email} por una acción en {site}.",
        "{code} is your code for {site}. It works for 5 minutes. Do not give it to anybody.":
            "{code} es su código para {site}. Vale 5 minutos. No se lo dé a nadie.",
    ]
}
