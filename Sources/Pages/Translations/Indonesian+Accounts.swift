extension Translations {
    static let indonesianAccounts: [String: String] = [
        "Your password was changed. Sign in with the new one.":
            "Kata sandi Anda sudah diubah. Masuk dengan kata sandi yang baru.",
        "Your e-mail address is confirmed. You can sign in now.":
            "Alamat email Anda sudah dikonfirmasi. Sekarang Anda dapat masuk.",
        "Your account was deleted.":
            "Akun Anda sudah dihapus.",
        "Continue without an account":
            "Lanjutkan tanpa akun",
        "or":
            "atau",
        "Go to your account":
            "Buka akun Anda",
        "Your e-mail address is confirmed":
            "Alamat email Anda sudah dikonfirmasi",
        "Your e-mail address was changed":
            "Alamat email Anda sudah diubah",
        "Your password was changed":
            "Kata sandi Anda sudah diubah",
        "Your account was deleted":
            "Akun Anda sudah dihapus",
        "You can use it to sign in, and we can reach you there.":
            "Anda dapat memakainya untuk masuk, dan kami dapat menghubungi Anda di sana.",
        "From now on, mails go to the new address. Your other sessions have ended.":
            "Mulai sekarang email dikirim ke alamat yang baru. Sesi Anda yang lain telah berakhir.",
        "Your other sessions have ended. Sign in there with the new password.":
            "Sesi Anda yang lain telah berakhir. Masuk lagi di sana dengan kata sandi yang baru.",
        "Its ways to sign in and its sessions were deleted, too. The app may still hold data of its own about you.":
            "Cara masuk dan sesinya juga sudah dihapus. Aplikasi mungkin masih menyimpan datanya sendiri tentang Anda.",
        "Delete your account?":
            "Hapus akun Anda?",
        "The account, its ways to sign in and all its sessions are deleted at once. This cannot be undone.":
            "Akun, cara masuknya, dan semua sesinya segera dihapus. Tindakan ini tidak dapat dibatalkan.",
        "The app may still hold data of its own about you.":
            "Aplikasi mungkin masih menyimpan datanya sendiri tentang Anda.",
        "Delete the account for good":
            "Hapus akun selamanya",
        "Keep the account":
            "Pertahankan akun",
        "Send the confirmation mail again":
            "Kirim lagi email konfirmasi",
        "Added on {date}":
            "Ditambahkan pada {date}",
        "Remove":
            "Hapus",
        "Link {provider}":
            "Tautkan {provider}",
        "Remove {provider}":
            "Hapus {provider}",
        "New password":
            "Kata sandi baru",
        "Change password":
            "Ubah kata sandi",
        "Set a password":
            "Buat kata sandi",
        "New e-mail address":
            "Alamat email baru",
        "Change address":
            "Ubah alamat",
        "Your other sessions end when the password changes.":
            "Sesi Anda yang lain berakhir saat kata sandi berubah.",
        "We send a link to the new address. The address changes when you open it, and your other sessions end.":
            "Kami mengirim tautan ke alamat yang baru. Alamat berubah saat Anda membukanya, dan sesi Anda yang lain berakhir.",
        "Change your e-mail address":
            "Ubah alamat email",
        "Manage second factors":
            "Kelola faktor kedua",
        "Second factors":
            "Faktor kedua",
        "Last used on {date}":
            "Terakhir dipakai pada {date}",
        "Sessions":
            "Sesi",
        "Sign out everywhere else":
            "Keluar dari semua sesi lain",
        "Delete account":
            "Hapus akun",
        "Name":
            "Nama",
        "confirmed":
            "sudah dikonfirmasi",
        "not confirmed":
            "belum dikonfirmasi",
        "E-mail address":
            "Alamat email",
        "You use this site without an account. Add a way to sign in, so that you can come back from another browser.":
            "Anda memakai situs ini tanpa akun. Tambahkan cara masuk agar Anda dapat kembali dari browser lain.",
        "User ID":
            "ID pengguna",
        "This is your only way to sign in. Add another one before you remove it.":
            "Ini satu-satunya cara masuk Anda. Tambahkan cara lain sebelum menghapusnya.",
        "Add a way to sign in":
            "Tambahkan cara masuk",
        "Ways to sign in":
            "Cara masuk",
        "E-mail and password":
            "Email dan kata sandi",
        "You have no second factor. With one, a stolen password is not enough to sign in.":
            "Anda belum punya faktor kedua. Dengan faktor kedua, kata sandi yang dicuri tidak cukup untuk masuk.",
        "This session":
            "Sesi ini",
        "A page asks you for confirmation first.":
            "Sebuah halaman akan meminta konfirmasi Anda terlebih dahulu.",
        "Your account":
            "Akun Anda",
        "To change your ways to sign in, your password or your address, sign in again first.":
            "Untuk mengubah cara masuk, kata sandi, atau alamat Anda, masuk lagi terlebih dahulu.",
        "The way to sign in was added.":
            "Cara masuk sudah ditambahkan.",
        "The way to sign in was removed. Sessions that were made with it have ended.":
            "Cara masuk sudah dihapus. Sesi yang dibuat dengannya telah berakhir.",
        "Your password was changed. Your other sessions have ended.":
            "Kata sandi Anda sudah diubah. Sesi Anda yang lain telah berakhir.",
        "Your e-mail address is confirmed.":
            "Alamat email Anda sudah dikonfirmasi.",
        "Your e-mail address was changed. Your other sessions have ended.":
            "Alamat email Anda sudah diubah. Sesi Anda yang lain telah berakhir.",
        "The sessions have ended.":
            "Sesi-sesi itu telah berakhir.",
        "You signed in again. You can make changes now.":
            "Anda sudah masuk lagi. Sekarang Anda dapat membuat perubahan.",
        "You are signed in to the other account now.":
            "Sekarang Anda masuk ke akun yang lain itu.",
        "The way to sign in could not be added. Nothing was changed.":
            "Cara masuk tidak dapat ditambahkan. Tidak ada yang diubah.",
        "The address belongs to an account that is linked to another {provider} account.":
            "Alamat itu milik akun yang tertaut ke akun {provider} lain.",
        "Sign in to that account in one of its ways, or ask the site's administrator.":
            "Masuk ke akun itu dengan salah satu caranya, atau hubungi pengelola situs ini.",
        "The address that {provider} sent belongs to an account, and {provider} is not linked to it.":
            "Alamat yang dikirim {provider} milik sebuah akun, dan {provider} belum tertaut ke akun itu.",
        "An account with the address {email} exists, and {provider} is not linked to it.":
            "Sudah ada akun dengan alamat {email}, dan {provider} belum tertaut ke akun itu.",
        "Sign in to that account the way you usually do. You are then asked whether to link {provider} to it.":
            "Masuk ke akun itu dengan cara yang biasa Anda pakai. Setelah itu Anda ditanya apakah {provider} akan ditautkan.",
        "Sign in to that account in one of its ways. You are then asked whether to link {provider} to it.":
            "Masuk ke akun itu dengan salah satu caranya. Setelah itu Anda ditanya apakah {provider} akan ditautkan.",
        "This works in this browser for {minutes} minutes. If you do not sign in, nothing changes.":
            "Ini berlaku di browser ini selama {minutes} menit. Jika Anda tidak masuk, tidak ada yang berubah.",
        "Link {provider} to your account?":
            "Tautkan {provider} ke akun Anda?",
        "A sign-in with {provider} in this browser met your account, because both have the same e-mail address.":
            "Proses masuk dengan {provider} di browser ini bertemu akun Anda, karena keduanya memiliki alamat email yang sama.",
        "A sign-in with {provider} as {name} in this browser met your account, because both have the same e-mail address.":
            "Proses masuk dengan {provider} sebagai {name} di browser ini bertemu akun Anda, karena keduanya memiliki alamat email yang sama.",
        "{provider} has not confirmed that the address {email} belongs to that user.":
            "{provider} belum mengonfirmasi bahwa alamat {email} milik pengguna itu.",
        "If you link it, the user of that {provider} account can sign in to your account.":
            "Jika Anda menautkannya, siapa pun yang memiliki akun {provider} itu dapat masuk ke akun Anda.",
        "Choose No if you did not sign in with {provider} yourself.":
            "Pilih Tidak jika bukan Anda sendiri yang masuk dengan {provider}.",
        "No, do not link":
            "Tidak, jangan tautkan",
        "Yes, link":
            "Ya, tautkan",
        "{provider} is linked to another account of this site. Nothing was changed.":
            "{provider} tertaut ke akun lain di situs ini. Tidak ada yang diubah.",
        "You can sign in to that account now. You then use that one instead of the one you are signed in to.":
            "Anda dapat masuk ke akun itu sekarang. Akun itulah yang lalu Anda pakai, bukan akun tempat Anda masuk saat ini.",
        "Sign in to the other account":
            "Masuk ke akun yang lain",
        "Keep using this account":
            "Tetap pakai akun ini",
        "Cancel":
            "Batal",
        "Confirm that it is you":
            "Konfirmasikan bahwa ini Anda",
        "The next step is sensitive. Sign in again to the same account to continue.":
            "Langkah berikutnya sensitif. Masuk lagi ke akun yang sama untuk melanjutkan.",
        "At least {count} characters. A few words that do not belong together are easy to remember.":
            "Paling sedikit {count} karakter. Beberapa kata yang tidak berkaitan mudah diingat.",
        "The e-mail address or the password is wrong.":
            "Alamat email atau kata sandi salah.",
        "There were too many attempts. Try again in a minute.":
            "Terlalu banyak percobaan. Coba lagi dalam satu menit.",
        "There were too many attempts. Try again in {minutes} minutes.":
            "Terlalu banyak percobaan. Coba lagi dalam {minutes} menit.",
        "Enter a complete e-mail address, such as name@example.com.":
            "Masukkan alamat email yang lengkap, misalnya name@example.com.",
        "The password is too short. Use at least {count} characters.":
            "Kata sandi terlalu pendek. Pakai paling sedikit {count} karakter.",
        "The password is too long. Use at most 1,024 bytes.":
            "Kata sandi terlalu panjang. Pakai paling banyak 1.024 byte.",
        "Many people use this password, so it is easy to guess. Choose another one.":
            "Banyak orang memakai kata sandi ini, jadi mudah ditebak. Pilih yang lain.",
        "Send the mail":
            "Kirim email",
        "Reset your password":
            "Atur ulang kata sandi Anda",
        "Enter the e-mail address of your account. We send you a link to choose a new password.":
            "Masukkan alamat email akun Anda. Kami mengirim tautan untuk memilih kata sandi baru.",
        "Back to the sign-in":
            "Kembali ke halaman masuk",
        "Choose a new password":
            "Pilih kata sandi baru",
        "The change ends your sessions on all devices.":
            "Perubahan ini mengakhiri sesi Anda di semua perangkat.",
        "Confirm address":
            "Konfirmasi alamat",
        "Does the address {email} belong to you?":
            "Apakah alamat {email} milik Anda?",
        "This confirms it for the account {account}. If that is not your account, do not confirm.":
            "Ini mengonfirmasinya untuk akun {account}. Jika itu bukan akun Anda, jangan konfirmasi.",
        "This confirms it for the registration that was begun in this browser. If you did not begin it, do not confirm.":
            "Ini mengonfirmasinya untuk pendaftaran yang dimulai di browser ini. Jika bukan Anda yang memulainya, jangan konfirmasi.",
        "To confirm the address {email}, enter the password of the account that it is for.":
            "Untuk mengonfirmasi alamat {email}, masukkan kata sandi akun yang akan memakainya.",
        "To confirm the address {email}, sign in to the account that it is for.":
            "Untuk mengonfirmasi alamat {email}, masuklah ke akun yang akan memakainya.",
        "You are signed in to another account in this browser.":
            "Di browser ini Anda masuk ke akun lain.",
        "Sign in another way":
            "Masuk dengan cara lain",
        "I did not create this account":
            "Saya tidak membuat akun ini",
        "I did not ask for this":
            "Saya tidak memintanya",
        "If someone else created the account with your address, you can take it over. Its password, its other ways to sign in and its sessions are removed, and you choose a new password.":
            "Jika orang lain membuat akun ini dengan alamat Anda, Anda dapat mengambil alih akun itu. Kata sandinya, cara masuk lainnya, dan sesinya akan dihapus, lalu Anda memilih kata sandi baru.",
        "If you did not ask for this mail, you can make its link invalid. Nothing else changes.":
            "Jika Anda tidak meminta email ini, Anda dapat membatalkan tautannya. Hal lain tidak berubah.",
        "The link of the mail does not work any more. Nothing else was changed.":
            "Tautan di email itu tidak berlaku lagi. Hal lain tidak diubah.",
        "Confirm your e-mail address":
            "Konfirmasi alamat email Anda",
        "Password":
            "Kata sandi",
        "Sign in with password":
            "Masuk dengan kata sandi",
        "Forgot your password?":
            "Lupa kata sandi?",
        "Create an account":
            "Buat akun",
        "You will get a mail with a link that confirms your address.":
            "Anda akan menerima email berisi tautan untuk mengonfirmasi alamat Anda.",
        "Sign in instead":
            "Masuk saja",
        "No mail after a few minutes? Look in the spam folder, and check the address for typing errors.":
            "Belum ada email setelah beberapa menit? Lihat folder spam, dan periksa apakah alamatnya salah ketik.",
        "Check your mail":
            "Periksa email Anda",
        "We sent you a mail. Open the link in it to continue.":
            "Kami mengirim email kepada Anda. Buka tautan di dalamnya untuk melanjutkan.",
        "If the address belongs to an account, we sent a mail to it. Open the link in it to choose a new password.":
            "Jika alamat itu milik sebuah akun, kami mengirim email ke sana. Buka tautan di dalamnya untuk memilih kata sandi baru.",
        "We sent a mail to the new address. The address of your account changes when you open the link in it.":
            "Kami mengirim email ke alamat baru. Alamat akun Anda berubah saat Anda membuka tautan di dalamnya.",
        "Not available on this site":
            "Tidak tersedia di situs ini",
        "This site does not keep a list of sessions.":
            "Situs ini tidak menyimpan daftar sesi.",
        "To end the session of this browser, sign out.":
            "Untuk mengakhiri sesi browser ini, silakan keluar.",
        "This session does not exist":
            "Sesi ini tidak ada",
        "The session has ended already, or it is not one of yours. Nothing was changed.":
            "Sesi ini sudah berakhir, atau bukan milik Anda. Tidak ada yang diubah.",
        "Open the list of your sessions again.":
            "Buka kembali daftar sesi Anda.",
        "Unknown browser":
            "Browser tidak dikenal",
    ]
}
