extension Translations {
    static let indonesianAccountErrors: [String: String] = [
        "This link no longer works":
            "Tautan ini tidak berfungsi lagi",
        "The link from the mail has expired, or it was already used.":
            "Tautan dari email itu sudah kedaluwarsa atau sudah dipakai.",
        "Request a new mail and open the link in it.":
            "Minta email baru dan buka tautan di dalamnya.",
        "Accounts are unavailable":
            "Akun sedang tidak tersedia",
        "This site cannot reach its store of accounts.":
            "Situs ini tidak dapat menjangkau penyimpanan akunnya.",
        "Try again in a minute. If you are signed in, you stay signed in.":
            "Coba lagi dalam satu menit. Jika Anda sudah masuk, Anda tetap masuk.",
        "This address is in use":
            "Alamat ini sudah dipakai",
        "The e-mail address at the provider belongs to another account of this site. Nothing was changed.":
            "Alamat email di penyedia itu milik akun lain di situs ini. Tidak ada yang diubah.",
        "Sign in to that account, or link an account with another address.":
            "Masuk ke akun itu, atau tautkan akun dengan alamat lain.",
        "This address already has an account":
            "Alamat ini sudah punya akun",
        "The address that the provider sent belongs to an account that is not linked to this provider.":
            "Alamat yang dikirim penyedia milik akun yang belum tertaut ke penyedia ini.",
        "Sign in to that account in one of its ways. You can then use the new one, too.":
            "Masuk ke akun itu dengan salah satu caranya. Setelah itu Anda dapat memakai yang baru juga.",
        "The e-mail address belongs to another account of this site.":
            "Alamat email itu milik akun lain di situs ini.",
        "Sign in to that account, or use another address.":
            "Masuk ke akun itu, atau pakai alamat lain.",
        "This account is disabled":
            "Akun ini dinonaktifkan",
        "An administrator disabled this account.":
            "Pengelola menonaktifkan akun ini.",
        "If you think this is a mistake, ask the site's administrator.":
            "Jika menurut Anda ini keliru, hubungi pengelola situs ini.",
        "There is no account for you yet":
            "Belum ada akun untuk Anda",
        "New accounts are created by the site's administrator only.":
            "Hanya pengelola situs ini yang membuat akun baru.",
        "Ask the site's administrator for an account, or sign in to one that you have.":
            "Minta akun kepada pengelola situs ini, atau masuk ke akun yang Anda punya.",
        "This provider is already linked":
            "Penyedia ini sudah tertaut",
        "Your account is already linked to an account at this provider.":
            "Akun Anda sudah tertaut ke sebuah akun di penyedia ini.",
        "To link another one, remove the first from your account.":
            "Untuk menautkan yang lain, hapus dulu yang pertama dari akun Anda.",
        "Already linked to another account":
            "Sudah tertaut ke akun lain",
        "The account at the provider is linked to another account of this site. Nothing was changed.":
            "Akun di penyedia itu tertaut ke akun lain di situs ini. Tidak ada yang diubah.",
        "Sign in to the other account, or link another one.":
            "Masuk ke akun yang lain itu, atau tautkan akun yang berbeda.",
        "This provider is not linked":
            "Penyedia ini tidak tertaut",
        "Your account is not linked to this provider. Perhaps you removed it in another window.":
            "Akun Anda tidak tertaut ke penyedia ini. Mungkin Anda menghapusnya di jendela lain.",
        "Look up its ways to sign in on your account page.":
            "Lihat cara masuknya di halaman akun Anda.",
        "Your only way to sign in stays":
            "Satu-satunya cara masuk Anda dipertahankan",
        "Without it, you could not sign in again. Nothing was changed.":
            "Tanpa cara itu Anda tidak dapat masuk lagi. Tidak ada yang diubah.",
        "Add another way to sign in before you remove this one.":
            "Tambahkan cara masuk lain sebelum menghapus yang ini.",
        "This is a different account":
            "Ini akun yang berbeda",
        "You signed in to another account than the one that you are using. Nothing was changed.":
            "Anda masuk ke akun yang berbeda dari akun yang sedang Anda pakai. Tidak ada yang diubah.",
        "Sign in again to the account that you are using.":
            "Masuk lagi ke akun yang sedang Anda pakai.",
        "The sign-in failed":
            "Gagal masuk",
        "The e-mail address or the password is wrong, or the passkey was not accepted.":
            "Alamat email atau kata sandi salah, atau kunci sandi tidak diterima.",
        "Check what you entered and try again. If you forgot the password, reset it.":
            "Periksa isian Anda dan coba lagi. Jika lupa kata sandi, atur ulang.",
        "The password is too weak":
            "Kata sandi terlalu lemah",
        "The password is too short, too long or too common.":
            "Kata sandi terlalu pendek, terlalu panjang, atau terlalu umum.",
        "Go back and choose another password.":
            "Kembali dan pilih kata sandi lain.",
        "Too many attempts":
            "Terlalu banyak percobaan",
        "There were too many attempts for this address, or from your network.":
            "Terlalu banyak percobaan untuk alamat ini, atau dari jaringan Anda.",
        "Wait some minutes, then try again.":
            "Tunggu beberapa menit, lalu coba lagi.",
        "Your e-mail address is not confirmed":
            "Alamat email Anda belum dikonfirmasi",
        "This step needs an account with a confirmed e-mail address.":
            "Langkah ini memerlukan akun dengan alamat email yang sudah dikonfirmasi.",
        "Open the link in the mail that we sent you. You can request a new one on your account page.":
            "Buka tautan di email yang kami kirim. Anda dapat meminta email baru di halaman akun Anda.",
        "There is nothing to link":
            "Tidak ada yang perlu ditautkan",
        "The question has expired, or it was already answered.":
            "Pertanyaan itu sudah kedaluwarsa atau sudah dijawab.",
        "To link a provider, sign in with it again, or add it on your account page.":
            "Untuk menautkan penyedia, masuk dengannya sekali lagi, atau tambahkan di halaman akun Anda.",
    ]
}
