extension Translations {
    static let indonesianMail: [String: String] = [
        "Confirm your e-mail address for {site}":
            "Konfirmasi alamat email Anda untuk {site}",
        "Someone created an account at {site} with this address. If it was you, confirm the address.":
            "Seseorang membuat akun di {site} dengan alamat ini. Jika itu Anda, konfirmasikan alamatnya.",
        "If it was not you, open the link and say so there, or ignore this mail.":
            "Jika bukan Anda, buka tautannya dan nyatakan di sana, atau abaikan email ini.",
        "Reset your password for {site}":
            "Atur ulang kata sandi Anda untuk {site}",
        "Someone asked to reset the password of your account at {site}. If it was you, choose a new password.":
            "Seseorang meminta pengaturan ulang kata sandi akun Anda di {site}. Jika itu Anda, pilih kata sandi baru.",
        "If it was not you, ignore this mail. Your password stays as it is.":
            "Jika bukan Anda, abaikan email ini. Kata sandi Anda tidak berubah.",
        "Confirm your new e-mail address for {site}":
            "Konfirmasi alamat email baru Anda untuk {site}",
        "Someone asked to use this address for an account at {site}. If it was you, confirm the address.":
            "Seseorang meminta agar alamat ini dipakai untuk akun di {site}. Jika itu Anda, konfirmasikan alamatnya.",
        "If it was not you, ignore this mail. The account keeps its address.":
            "Jika bukan Anda, abaikan email ini. Akun itu tetap memakai alamatnya.",
        "Your e-mail address at {site} was changed":
            "Alamat email Anda di {site} sudah diubah",
        "Your account at {site} now has the address {new}. Mails about it no longer go to this address.":
            "Akun Anda di {site} sekarang memakai alamat {new}. Email tentang akun itu tidak lagi dikirim ke alamat ini.",
        "If it was not you, check the ways to sign in of your account, and tell the site's administrator.":
            "Jika bukan Anda, periksa cara masuk akun Anda, dan beri tahu pengelola situs ini.",
        "Your password for {site} was changed":
            "Kata sandi Anda untuk {site} sudah diubah",
        "The password of your account at {site} was changed. Your other sessions have ended.":
            "Kata sandi akun Anda di {site} sudah diubah. Sesi Anda yang lain telah berakhir.",
        "If it was not you, reset your password now. Then check the ways to sign in of your account.":
            "Jika bukan Anda, segera atur ulang kata sandi Anda. Lalu periksa cara masuk akun Anda.",
        "A way to sign in was added to your account at {site}":
            "Cara masuk baru ditambahkan ke akun Anda di {site}",
        "You can now sign in to your account at {site} with {provider}.":
            "Sekarang Anda dapat masuk ke akun Anda di {site} dengan {provider}.",
        "If it was not you, remove it from your account now.":
            "Jika bukan Anda, segera hapus cara itu dari akun Anda.",
        "You already have an account at {site}":
            "Anda sudah punya akun di {site}",
        "Someone tried to create an account at {site} with this address. It already has one, so you can sign in as usual.":
            "Seseorang mencoba membuat akun di {site} dengan alamat ini. Akunnya sudah ada, jadi Anda dapat masuk seperti biasa.",
        "If you forgot your password, you can reset it there. If it was not you, ignore this mail.":
            "Jika lupa kata sandi, Anda dapat mengaturnya ulang di sana. Jika bukan Anda, abaikan email ini.",
        "The link works once, within {minutes} minutes.":
            "Tautan ini berlaku satu kali, selama {minutes} menit.",
        "This mail was sent to {email} because of an action at {site}.":
            "Email ini dikirim ke {email} karena suatu tindakan di {site}.",
        "{code} is your code for {site}. It works for 5 minutes. Do not give it to anybody.":
            "{code} adalah kode Anda untuk {site}. Berlaku 5 menit. Jangan berikan kepada siapa pun.",
    ]
}
