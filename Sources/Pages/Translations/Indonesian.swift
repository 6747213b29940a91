extension Translations {
    static let indonesian: [String: String] = [
        "You do not have access to this page":
            "Anda tidak memiliki akses ke halaman ini",
        "You are signed in, but your account is not allowed to open this page.":
            "Anda sudah masuk, tetapi akun Anda tidak diizinkan membuka halaman ini.",
        "Use another account, or ask the site's administrator for access.":
            "Gunakan akun lain, atau minta akses kepada pengelola situs ini.",
        "Please sign in":
            "Silakan masuk",
        "You need to sign in to open this page.":
            "Anda perlu masuk untuk membuka halaman ini.",
        "After you sign in, you return to this page.":
            "Setelah masuk, Anda akan kembali ke halaman ini.",
        "Please sign in again":
            "Silakan masuk lagi",
        "A stronger sign-in is required":
            "Diperlukan cara masuk yang lebih kuat",
        "This page requires a stronger sign-in than the one you made.":
            "Halaman ini memerlukan cara masuk yang lebih kuat daripada yang Anda pakai.",
        "Sign in again with a stronger method, such as a security key.":
            "Masuk lagi dengan cara yang lebih kuat, misalnya dengan kunci keamanan.",
        "This page requires a recent sign-in, and your last one is too old.":
            "Halaman ini mengharuskan Anda baru saja masuk, sedangkan Anda masuk sudah terlalu lama.",
        "Sign in again to continue.":
            "Masuk lagi untuk melanjutkan.",
        "Your session has ended":
            "Sesi Anda telah berakhir",
        "A request from another site was blocked":
            "Permintaan dari situs lain diblokir",
        "A page of another site, or a program, tried to change something here with your session. Nothing was changed.":
            "Halaman situs lain, atau sebuah program, mencoba mengubah sesuatu di sini dengan sesi Anda. Tidak ada yang diubah.",
        "If you intended this, open this site and repeat the step there.":
            "Jika memang itu maksud Anda, buka situs ini dan ulangi langkahnya di sana.",
        "You were inactive for too long, or you signed out in another window.":
            "Anda tidak aktif terlalu lama, atau sudah keluar di jendela lain.",
        "Sign in again to continue where you left off.":
            "Masuk lagi untuk melanjutkan dari tempat Anda tadi.",
        "A second factor is required":
            "Diperlukan faktor kedua",
        "This page requires a second factor, and you signed in without one.":
            "Halaman ini memerlukan faktor kedua, sedangkan Anda masuk tanpa faktor itu.",
        "Sign in again and confirm with your second factor.":
            "Masuk lagi dan konfirmasi dengan faktor kedua Anda.",
        "The sign-in was not allowed":
            "Proses masuk tidak diizinkan",
        "The provider refused the sign-in, or it was cancelled there.":
            "Penyedia menolak proses masuk ini, atau prosesnya dibatalkan di sana.",
        "If you cancelled by mistake, sign in again. Otherwise your account may not have access.":
            "Jika Anda tidak sengaja membatalkan, masuk lagi. Jika tidak, akun Anda mungkin tidak punya akses.",
        "The sign-in could not be completed":
            "Proses masuk tidak dapat diselesaikan",
        "The sign-in was started in another browser, or its cookie is missing.":
            "Proses masuk dimulai di peramban lain, atau cookie-nya tidak ada.",
        "Sign in again. If this happens again, allow cookies for this site.":
            "Silakan masuk lagi. Jika terjadi lagi, izinkan cookie untuk situs ini.",
        "The sign-in took too long, or it was already completed.":
            "Proses masuk terlalu lama, atau sudah selesai sebelumnya.",
        "Sign in again.":
            "Silakan masuk lagi.",
        "The response came from a different provider than the one you chose, so it was rejected.":
            "Jawaban datang dari penyedia yang berbeda dari pilihan Anda, jadi ditolak.",
        "Sign in again. If this happens again, tell the site's administrator.":
            "Silakan masuk lagi. Jika terjadi lagi, beri tahu pengelola situs ini.",
        "The provider needs your input":
            "Penyedia memerlukan masukan dari Anda",
        "The provider could not sign you in without showing you a page.":
            "Penyedia tidak dapat memasukkan Anda tanpa menampilkan halaman.",
        "Sign in again and follow the provider's instructions.":
            "Masuk lagi dan ikuti petunjuk penyedia.",
        "The provider's response was incomplete or contradictory.":
            "Jawaban dari penyedia tidak lengkap atau bertentangan.",
        "This link does not work":
            "Tautan ini tidak berfungsi",
        "A part of the address is missing, repeated or not allowed.":
            "Ada bagian alamat yang kurang, berulang, atau tidak diizinkan.",
        "Go to the start page and try from there.":
            "Buka halaman awal dan coba dari sana.",
        "This form has expired":
            "Formulir ini sudah kedaluwarsa",
        "The form was opened too long ago, or it belongs to another session. Nothing was changed.":
            "Formulir ini sudah terlalu lama dibuka atau milik sesi lain. Tidak ada yang diubah.",
        "Open the page again and repeat the step.":
            "Buka lagi halamannya dan ulangi langkah itu.",
        "Unknown provider":
            "Penyedia tidak dikenal",
        "The provider in this address is not configured on this site, or it is disabled.":
            "Penyedia di alamat ini tidak disiapkan di situs ini, atau dinonaktifkan.",
        "Choose one of the providers of this site.":
            "Pilih salah satu penyedia di situs ini.",
        "The provider could not sign you in":
            "Penyedia tidak dapat memasukkan Anda",
        "The provider returned an error.":
            "Penyedia melaporkan kesalahan.",
        "Try again in a moment. If it still fails, tell the site's administrator.":
            "Coba lagi beberapa saat lagi. Jika masih gagal, beri tahu pengelola situs ini.",
        "The provider's response failed verification":
            "Jawaban penyedia tidak lolos pemeriksaan",
        "The information that the provider sent about you failed a security check, so it was rejected.":
            "Data Anda yang dikirim penyedia tidak lolos pemeriksaan keamanan, jadi ditolak.",
        "Try again. If it still fails, tell the site's administrator.":
            "Coba lagi. Jika masih gagal, beri tahu pengelola situs ini.",
        "The provider confirmed the sign-in, but this site cannot use its response.":
            "Penyedia mengonfirmasi proses masuk, tetapi situs ini tidak dapat memakai jawabannya.",
        "The provider did not send usable information about your account.":
            "Penyedia tidak mengirim data akun Anda yang dapat dipakai.",
        "Two responses of the provider name different accounts, so both were rejected.":
            "Dua jawaban penyedia menyebut akun yang berbeda, jadi keduanya ditolak.",
        "The provider cannot be reached":
            "Penyedia tidak dapat dihubungi",
        "This site could not connect to the provider.":
            "Situs ini tidak dapat terhubung ke penyedia.",
        "Try again in a minute. Your account is not affected.":
            "Coba lagi dalam satu menit. Akun Anda tidak terpengaruh.",
        "The provider takes too long":
            "Penyedia terlalu lama menjawab",
        "The provider did not respond in time.":
            "Penyedia tidak menjawab tepat waktu.",
        "Sessions are unavailable":
            "Sesi sedang tidak tersedia",
        "The sign-out failed":
            "Gagal keluar",
        "This site could not record that you signed out.":
            "Situs ini tidak dapat mencatat bahwa Anda telah keluar.",
        "Try again in a minute. On a shared computer, close the browser.":
            "Coba lagi dalam satu menit. Di komputer bersama, tutup peramban.",
        "This site cannot reach its session store.":
            "Situs ini tidak dapat mengakses penyimpanan sesinya.",
        "Try again in a minute. You have not been signed out.":
            "Coba lagi dalam satu menit. Anda belum keluar dari sesi.",
        "The token was rejected":
            "Token ditolak",
        "The token is malformed, expired, issued for another site, or of a type that is not accepted here.":
            "Token itu rusak, kedaluwarsa, diterbitkan untuk situs lain, atau berjenis yang tidak diterima di sini.",
        "Get a new token for this site and send it in the Authorization header.":
            "Ambil token baru untuk situs ini dan kirim di header Authorization.",
        "The token lacks a scope":
            "Token kekurangan cakupan",
        "The token is valid, but it lacks a scope that is required here.":
            "Token itu sah, tetapi tidak memiliki cakupan yang diperlukan di sini.",
        "Ask the provider for a token with the scopes of this API.":
            "Minta token dengan cakupan API ini kepada penyedia.",
        "The logout token was rejected":
            "Token keluar ditolak",
        "The logout token is malformed, expired, already used or issued for another site.":
            "Token keluar rusak, kedaluwarsa, sudah dipakai, atau diterbitkan untuk situs lain.",
        "Send a new logout token.":
            "Kirim token keluar yang baru.",
        "The request was not understood":
            "Permintaan tidak dipahami",
        "Your browser or program sent a request that this site does not accept.":
            "Peramban atau program Anda mengirim permintaan yang tidak diterima situs ini.",
        "Check the address, or go to the start page.":
            "Periksa alamatnya, atau buka halaman awal.",
        "The app cannot be reached":
            "Aplikasi tidak dapat dihubungi",
        "The app behind this page did not send a usable response.":
            "Aplikasi di balik halaman ini tidak mengirim jawaban yang dapat dipakai.",
        "Try again in a minute. If it still fails, tell the site's administrator.":
            "Coba lagi dalam satu menit. Jika masih gagal, beri tahu pengelola situs ini.",
        "Something went wrong":
            "Terjadi kesalahan",
        "An internal error occurred in the gateway. You did not cause it.":
            "Terjadi kesalahan internal di gateway. Ini bukan akibat tindakan Anda.",
        "The rules of this site do not allow this request.":
            "Aturan situs ini tidak mengizinkan permintaan ini.",
        "If you need access, ask the site's administrator.":
            "Jika Anda memerlukan akses, hubungi pengelola situs ini.",
        "This page is not allowed to connect":
            "Halaman ini tidak diizinkan terhubung",
        "A page of another site tried to connect here with your session. The connection was refused.":
            "Halaman situs lain mencoba terhubung ke sini dengan sesi Anda. Koneksinya ditolak.",
        "If the page is yours, serve it from this site's address.":
            "Jika halaman itu milik Anda, sajikan dari alamat situs ini.",
        "Page not found":
            "Halaman tidak ditemukan",
        "There is no page at this address.":
            "Tidak ada halaman di alamat ini.",
        "Check the address for typing errors, or go to the start page.":
            "Periksa apakah ada salah ketik di alamat, atau buka halaman awal.",
        "This request is not allowed here":
            "Permintaan ini tidak diizinkan di sini",
        "This address does not accept this kind of request.":
            "Alamat ini tidak menerima permintaan jenis ini.",
        "Go back and use the links or buttons of the page.":
            "Kembali dan gunakan tautan atau tombol di halaman.",
        "The request took too long to arrive":
            "Permintaan terlalu lama sampai",
        "Your browser or program did not finish sending the request in time.":
            "Peramban atau program Anda tidak selesai mengirim permintaan tepat waktu.",
        "Check your connection and try again.":
            "Periksa koneksi Anda dan coba lagi.",
        "The request is too large":
            "Permintaan terlalu besar",
        "You sent more data than this site accepts.":
            "Anda mengirim lebih banyak data daripada yang diterima situs ini.",
        "Send less data, or ask the site's administrator to raise the limit.":
            "Kirim lebih sedikit data, atau minta pengelola situs ini menaikkan batasnya.",
        "The address is too long":
            "Alamat terlalu panjang",
        "The address is longer than this site accepts.":
            "Alamat lebih panjang daripada yang diterima situs ini.",
        "Your program expects a feature that this site does not offer.":
            "Program Anda mengharapkan fitur yang tidak ditawarkan situs ini.",
        "Send the request without the Expect header.":
            "Kirim permintaan tanpa header Expect.",
        "Wrong host name":
            "Nama host salah",
        "The host name in the address does not belong to this site.":
            "Nama host di alamat itu bukan milik situs ini.",
        "Check the address for typing errors.":
            "Periksa apakah ada salah ketik di alamat.",
        "Too many requests":
            "Terlalu banyak permintaan",
        "There were too many requests in a short time.":
            "Ada terlalu banyak permintaan dalam waktu singkat.",
        "Wait a minute, then try again.":
            "Tunggu satu menit, lalu coba lagi.",
        "The headers of the request are too large":
            "Header permintaan terlalu besar",
        "Your browser sent larger headers than this site accepts. Old cookies are the usual cause.":
            "Peramban Anda mengirim header yang lebih besar daripada yang diterima situs ini. Biasanya karena cookie lama.",
        "Delete the cookies of this site and try again.":
            "Hapus cookie situs ini dan coba lagi.",
        "This request is not supported":
            "Permintaan ini tidak didukung",
        "The request uses a feature that this site does not support.":
            "Permintaan memakai fitur yang tidak didukung situs ini.",
        "Temporarily unavailable":
            "Sementara tidak tersedia",
        "This site records sign-ins and access, and it cannot write that record right now.":
            "Situs ini mencatat proses masuk dan akses, dan saat ini catatan itu tidak dapat ditulis.",
        "The site is busy or restarting":
            "Situs sedang sibuk atau dimulai ulang",
        "The site cannot process the request right now.":
            "Situs tidak dapat memproses permintaan saat ini.",
        "Try again in a minute.":
            "Coba lagi dalam satu menit.",
        "The app is busy":
            "Aplikasi sedang sibuk",
        "The app behind this page is handling as many requests as it can.":
            "Aplikasi di balik halaman ini sedang menangani permintaan sebanyak yang ia mampu.",
        "The app takes too long":
            "Aplikasi terlalu lama menjawab",
        "The app behind this page did not respond in time. It may still be processing your request.":
            "Aplikasi di balik halaman ini tidak menjawab tepat waktu. Mungkin permintaan Anda masih diproses.",
        "Wait a minute before you try again.":
            "Tunggu satu menit sebelum mencoba lagi.",
        "Your program uses an HTTP version that this site does not support.":
            "Program Anda memakai versi HTTP yang tidak didukung situs ini.",
        "Use HTTP/1.1 or HTTP/2.":
            "Gunakan HTTP/1.1 atau HTTP/2.",
        "The request went in a loop":
            "Permintaan masuk ke dalam perulangan",
        "The request came back to the gateway, because the app's address points to the gateway.":
            "Permintaan kembali ke gateway karena alamat aplikasi mengarah ke gateway.",
        "Tell the site's administrator that an upstream points to the gateway itself.":
            "Beri tahu pengelola situs ini bahwa sebuah upstream mengarah ke gateway itu sendiri.",
        "Sign in":
            "Masuk",
        "to continue to {site}":
            "untuk melanjutkan ke {site}",
        "Sign in with {provider}":
            "Masuk dengan {provider}",
        "Last used":
            "Terakhir dipakai",
        "No provider is enabled on this site. Please tell the site's administrator.":
            "Tidak ada penyedia yang aktif di situs ini. Beri tahu pengelola situs ini.",
        "Your session has ended. Sign in to continue where you left off.":
            "Sesi Anda telah berakhir. Masuk untuk melanjutkan dari tempat Anda tadi.",
        "This page requires a recent sign-in. Please sign in again.":
            "Halaman ini mengharuskan Anda baru saja masuk. Silakan masuk lagi.",
        "The sign-in took too long, or it was already used. Please sign in again.":
            "Proses masuk terlalu lama, atau sudah dipakai. Silakan masuk lagi.",
        "This provider cannot be reached right now. Try again in a moment, or choose another provider.":
            "Penyedia itu sedang tidak dapat dihubungi. Coba lagi beberapa saat lagi, atau pilih yang lain.",
        "Your entries were not sent. Sign in first. Then go back to the form with the browser's Back button and send it again.":
            "Isian Anda belum terkirim. Masuk terlebih dahulu. Lalu kembali ke formulir dengan tombol Kembali di peramban dan kirim lagi.",
        "Sign out?":
            "Keluar?",
        "Sign out":
            "Keluar",
        "You are signed in.":
            "Anda sudah masuk.",
        "You are signed in as {name}.":
            "Anda masuk sebagai {name}.",
        "Stay signed in":
            "Tetap masuk",
        "You are signed out":
            "Anda sudah keluar",
        "You are not signed in":
            "Anda belum masuk",
        "Your session has ended.":
            "Sesi Anda telah berakhir.",
        "You may still be signed in to {provider}. On a shared computer, sign out there too.":
            "Anda mungkin masih masuk di {provider}. Di komputer yang dipakai bersama, keluarlah juga di sana.",
        "There is no session to end.":
            "Tidak ada sesi untuk diakhiri.",
        "Sign in again":
            "Masuk lagi",
        "Use another account":
            "Gunakan akun lain",
        "Try again":
            "Coba lagi",
        "Go to the start page":
            "Buka halaman awal",
        "Code":
            "Kode",
        "Status":
            "Status",
        "Request ID":
            "ID permintaan",
        "Provider":
            "Penyedia",
        "If you ask for help, include the code and the request ID above.":
            "Jika Anda meminta bantuan, sertakan kode dan ID permintaan di atas.",
        "Help":
            "Bantuan",
        "Privacy":
            "Privasi",
        "Signed in as":
            "Masuk sebagai",
        "By this site's clock, the provider's response expired {seconds} seconds ago. The clock may be wrong.":
            "Menurut jam situs ini, jawaban penyedia sudah kedaluwarsa {seconds} detik yang lalu. Mungkin jamnya salah.",
        "By this site's clock, the provider's response is {seconds} seconds old. The clock may be wrong.":
            "Menurut jam situs ini, jawaban penyedia berumur {seconds} detik. Mungkin jamnya salah.",
        "By this site's clock, the provider's response is from {seconds} seconds in the future. The clock may be wrong.":
            "Menurut jam situs ini, jawaban penyedia berasal dari {seconds} detik di masa depan. Mungkin jamnya salah.",
        "This way of signing in does not work here":
            "Cara masuk ini tidak berfungsi di sini",
        "Your browser or program tried to sign in to the app with NTLM or Negotiate, which need a connection of their own. It uses HTTP/2, or a proxy shares its connection among users.":
            "Peramban atau program Anda mencoba masuk ke aplikasi dengan NTLM atau Negotiate, yang memerlukan koneksi sendiri. Koneksinya memakai HTTP/2, atau sebuah proxy membagi koneksinya di antara beberapa pengguna.",
        "Use HTTP/1.1 without a proxy in between, or tell the site's administrator.":
            "Gunakan HTTP/1.1 tanpa proxy di antaranya, atau beri tahu administrator situs.",
    ]
}
