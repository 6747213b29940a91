extension Translations {
    static let indonesianSecondFactors: [String: String] = [
        "Confirm your sign-in":
            "Konfirmasi proses masuk Anda",
        "Enter the 6-digit code that your authenticator app shows for {site}.":
            "Masukkan kode 6 digit yang ditampilkan aplikasi autentikator Anda untuk {site}.",
        "Use the passkey or security key that you added to your account.":
            "Gunakan kunci sandi atau kunci keamanan yang Anda tambahkan ke akun Anda.",
        "Enter the 6-digit code that we sent to {phone}.":
            "Masukkan kode 6 digit yang kami kirim ke {phone}.",
        "We send a code to {phone}.":
            "Kami mengirim kode ke {phone}.",
        "Enter one of your recovery codes. Each code works once.":
            "Masukkan salah satu kode pemulihan Anda. Setiap kode berlaku satu kali.",
        "6-digit code":
            "Kode 6 digit",
        "Recovery code":
            "Kode pemulihan",
        "Send the message":
            "Kirim pesan",
        "Use passkey":
            "Gunakan kunci sandi",
        "Confirm":
            "Konfirmasi",
        "Send another message":
            "Kirim pesan lagi",
        "Do not ask again on this browser for {days} days":
            "Jangan tanya lagi di browser ini selama {days} hari",
        "If you cannot use any of your second factors, ask the site's administrator.":
            "Jika Anda tidak dapat memakai satu pun faktor kedua Anda, hubungi pengelola situs ini.",
        "Authenticator app":
            "Aplikasi autentikator",
        "Passkey or security key":
            "Kunci sandi atau kunci keamanan",
        "Text message":
            "SMS",
        "Recovery codes":
            "Kode pemulihan",
        "No passkey was added. Try again, or add another kind of second factor.":
            "Tidak ada kunci sandi yang ditambahkan. Coba lagi, atau tambahkan faktor kedua jenis lain.",
        "The passkey was not used. Try again, or use another second factor.":
            "Kunci sandi tidak dipakai. Coba lagi, atau gunakan faktor kedua lain.",
        "Passkeys need JavaScript and a browser that supports them. Add another kind of second factor, or use another browser.":
            "Kunci sandi memerlukan JavaScript dan browser yang mendukungnya. Tambahkan faktor kedua jenis lain, atau gunakan browser lain.",
        "Passkeys need JavaScript and a browser that supports them. Use another second factor, or use another browser.":
            "Kunci sandi memerlukan JavaScript dan browser yang mendukungnya. Gunakan faktor kedua lain, atau gunakan browser lain.",
        "Sign in with a passkey":
            "Masuk dengan kunci sandi",
        "The passkey was not used. Try again, or sign in another way.":
            "Kunci sandi tidak dipakai. Coba lagi, atau masuk dengan cara lain.",
        "Passkeys need JavaScript and a browser that supports them. Sign in another way, or use another browser.":
            "Kunci sandi memerlukan JavaScript dan browser yang mendukungnya. Masuk dengan cara lain, atau gunakan browser lain.",
        "The passkey was not accepted. Try again, or sign in another way.":
            "Kunci sandi tidak diterima. Coba lagi, atau masuk dengan cara lain.",
        "This passkey is already a second factor of your account.":
            "Kunci sandi ini sudah menjadi faktor kedua akun Anda.",
        "With a second factor, a stolen password is not enough to sign in.":
            "Dengan faktor kedua, kata sandi yang dicuri tidak cukup untuk masuk.",
        "The second factor was added.":
            "Faktor kedua sudah ditambahkan.",
        "The second factor was removed.":
            "Faktor kedua sudah dihapus.",
        "This site requires a second factor. Add one to continue.":
            "Situs ini mewajibkan faktor kedua. Tambahkan satu untuk melanjutkan.",
        "To add or remove second factors, sign in again first.":
            "Untuk menambahkan atau menghapus faktor kedua, masuk lagi terlebih dahulu.",
        "To add a second factor, confirm your e-mail address first.":
            "Untuk menambahkan faktor kedua, konfirmasikan alamat email Anda terlebih dahulu.",
        "You use this site without an account. Add a way to sign in before you add a second factor.":
            "Anda memakai situs ini tanpa akun. Tambahkan cara masuk sebelum menambahkan faktor kedua.",
        "Continue":
            "Lanjutkan",
        "If you remove your last other second factor, the recovery codes are removed, too.":
            "Jika Anda menghapus faktor kedua lain yang terakhir, kode pemulihan juga dihapus.",
        "Codes left: {count}":
            "Kode tersisa: {count}",
        "An app on your phone or computer shows a new code every 30 seconds.":
            "Aplikasi di ponsel atau komputer Anda menampilkan kode baru setiap 30 detik.",
        "Set up an authenticator app":
            "Siapkan aplikasi autentikator",
        "Your device asks for your fingerprint, your face or a PIN, or you touch a security key.":
            "Perangkat Anda meminta sidik jari, wajah, atau PIN Anda, atau Anda menyentuh kunci keamanan.",
        "Add a passkey":
            "Tambahkan kunci sandi",
        "Phone number":
            "Nomor telepon",
        "We send a code to your phone when you sign in.":
            "Kami mengirim kode ke ponsel Anda saat Anda masuk.",
        "Ten codes that work once each, for when you cannot use your other second factors.":
            "Sepuluh kode yang masing-masing berlaku satu kali, untuk saat Anda tidak dapat memakai faktor kedua yang lain.",
        "You can create them after you add another second factor.":
            "Anda dapat membuatnya setelah menambahkan faktor kedua lain.",
        "New codes replace the ones that you have.":
            "Kode baru menggantikan kode yang Anda miliki.",
        "Create new recovery codes":
            "Buat kode pemulihan baru",
        "Create recovery codes":
            "Buat kode pemulihan",
        "Name (optional)":
            "Nama (opsional)",
        "Add a second factor":
            "Tambahkan faktor kedua",
        "With the country code, such as +12025550123.":
            "Dengan kode negara, misalnya +12025550123.",
        "Scan this QR code with an authenticator app.":
            "Pindai kode QR ini dengan aplikasi autentikator.",
        "Then enter the code that the app shows.":
            "Lalu masukkan kode yang ditampilkan aplikasi itu.",
        "QR code with the secret":
            "Kode QR berisi rahasia",
        "Enter this secret in an authenticator app:":
            "Masukkan rahasia ini di aplikasi autentikator:",
        "Or enter this secret in the app:":
            "Atau masukkan rahasia ini di aplikasi:",
        "Open in an authenticator app":
            "Buka di aplikasi autentikator",
        "Add the app":
            "Tambahkan aplikasi",
        "Confirm your phone number":
            "Konfirmasi nomor telepon Anda",
        "Your browser asks you to create a passkey or to use a security key.":
            "Browser Anda meminta Anda membuat kunci sandi atau memakai kunci keamanan.",
        "Create passkey":
            "Buat kunci sandi",
        "The codes that you had before no longer work.":
            "Kode yang Anda miliki sebelumnya tidak berlaku lagi.",
        "Your recovery codes":
            "Kode pemulihan Anda",
        "Each code works once, when you cannot use your other second factors.":
            "Setiap kode berlaku satu kali, saat Anda tidak dapat memakai faktor kedua yang lain.",
        "Print this page, or store the codes in a password manager. They are not shown again.":
            "Cetak halaman ini, atau simpan kode-kode ini di pengelola kata sandi. Kode tidak akan ditampilkan lagi.",
        "I have stored them":
            "Saya sudah menyimpannya",
        "The code is wrong, or it was already used. Enter the current one.":
            "Kode salah atau sudah dipakai. Masukkan kode yang terbaru.",
        "The passkey was not accepted. Try again, or use another second factor.":
            "Kunci sandi tidak diterima. Coba lagi, atau gunakan faktor kedua lain.",
        "The code has expired. Enter a new one.":
            "Kode sudah kedaluwarsa. Masukkan kode baru.",
        "Too many text messages were requested. You can request another one in a minute.":
            "Terlalu banyak pesan yang diminta. Anda dapat meminta pesan lagi dalam satu menit.",
        "Too many text messages were requested. You can request another one in {minutes} minutes.":
            "Terlalu banyak pesan yang diminta. Anda dapat meminta pesan lagi dalam {minutes} menit.",
        "Enter the number with its country code, such as +12025550123.":
            "Masukkan nomor dengan kode negaranya, misalnya +12025550123.",
        "This second factor is already in use. Add another one.":
            "Faktor kedua ini sudah dipakai. Tambahkan yang lain.",
        "Your account has as many second factors as it can have. Remove one before you add another.":
            "Akun Anda sudah memiliki jumlah faktor kedua terbanyak yang diizinkan. Hapus satu sebelum menambahkan yang lain.",
        "This step needs a second factor besides your sign-in.":
            "Langkah ini memerlukan faktor kedua selain proses masuk Anda.",
        "Continue with your second factor.":
            "Lanjutkan dengan faktor kedua Anda.",
        "The code is wrong":
            "Kode salah",
        "The code is wrong, or it was already used.":
            "Kode salah atau sudah dipakai.",
        "Go back and enter the current code.":
            "Kembali dan masukkan kode yang terbaru.",
        "The code has expired":
            "Kode sudah kedaluwarsa",
        "The code is too old, or the step that it belongs to has ended.":
            "Kode terlalu lama, atau langkah yang memerlukannya sudah berakhir.",
        "Sign in again and enter a new code.":
            "Masuk lagi dan masukkan kode baru.",
        "This second factor is already in use":
            "Faktor kedua ini sudah dipakai",
        "It is already a second factor of an account on this site. Nothing was changed.":
            "Ini sudah menjadi faktor kedua sebuah akun di situs ini. Tidak ada yang diubah.",
        "Add another second factor.":
            "Tambahkan faktor kedua lain.",
        "Too many second factors":
            "Terlalu banyak faktor kedua",
        "Your account has as many second factors as it can have.":
            "Akun Anda sudah memiliki jumlah faktor kedua terbanyak yang diizinkan.",
        "Remove one before you add another.":
            "Hapus satu sebelum menambahkan yang lain.",
        "This second factor does not exist":
            "Faktor kedua ini tidak ada",
        "Your account has no such second factor. Perhaps you removed it in another window.":
            "Akun Anda tidak memiliki faktor kedua itu. Mungkin Anda menghapusnya di jendela lain.",
        "Look up your second factors on your account page.":
            "Lihat faktor kedua Anda di halaman akun Anda.",
        "Add a way to sign in first":
            "Tambahkan cara masuk terlebih dahulu",
        "An account without a way to sign in cannot have second factors.":
            "Akun tanpa cara masuk tidak dapat memiliki faktor kedua.",
        "Add a way to sign in on your account page.":
            "Tambahkan cara masuk di halaman akun Anda.",
        "This phone number cannot be used":
            "Nomor telepon ini tidak dapat dipakai",
        "The phone number is incomplete, or it has no country code.":
            "Nomor telepon tidak lengkap atau tidak memiliki kode negara.",
        "Go back and enter the number with its country code.":
            "Kembali dan masukkan nomor dengan kode negaranya.",
        "This is not available":
            "Ini tidak tersedia",
        "This site does not offer this kind of second factor, or your account does not allow this.":
            "Situs ini tidak menyediakan faktor kedua jenis ini, atau akun Anda tidak mengizinkannya.",
        "Look at your account page for what you can do.":
            "Lihat di halaman akun Anda apa yang dapat dilakukan.",
        "A second factor was added to your account at {site}":
            "Faktor kedua ditambahkan ke akun Anda di {site}",
        "Your account at {site} has a new second factor: {factor}.":
            "Akun Anda di {site} memiliki faktor kedua baru: {factor}.",
        "If it was not you, remove it now, and check the ways to sign in of your account.":
            "Jika bukan Anda, segera hapus faktor itu, dan periksa cara masuk akun Anda.",
        "A second factor was removed from your account at {site}":
            "Faktor kedua dihapus dari akun Anda di {site}",
        "Your account at {site} no longer has this second factor: {factor}.":
            "Akun Anda di {site} tidak lagi memiliki faktor kedua ini: {factor}.",
    ]
}
