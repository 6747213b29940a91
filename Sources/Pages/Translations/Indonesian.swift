extension Translations {
    static let indonesian: [String: String] = [
        "This page is not open to you":
            "Halaman ini tidak terbuka untuk Anda",
        "You are signed in, but your account is not on the list for this page.":
            "Anda sudah masuk, tetapi akun Anda tidak ada dalam daftar untuk halaman ini.",
        "If you have another account, use that one. Otherwise ask the people who run this site for access.":
            "Jika Anda punya akun lain, gunakan akun itu. Jika tidak, minta akses kepada pengelola situs ini.",
        "Please sign in":
            "Silakan masuk",
        "This page is for people who are signed in.":
            "Halaman ini untuk orang yang sudah masuk.",
        "Sign in, and you will come straight back.":
            "Masuklah, dan Anda akan langsung kembali ke sini.",
        "Please sign in once more":
            "Silakan masuk sekali lagi",
        "This page asks for a recent sign-in, and yours was a while ago.":
            "Halaman ini meminta proses masuk yang baru, dan milik Anda sudah agak lama.",
        "Sign in again to go on. Nothing else has changed.":
            "Masuk lagi untuk melanjutkan. Tidak ada hal lain yang berubah.",
        "Your session has ended":
            "Sesi Anda telah berakhir",
        "This did not come from here":
            "Ini tidak berasal dari sini",
        "Another site's page, or a program, tried to change something here with your session. Nothing was changed.":
            "Halaman situs lain, atau sebuah program, mencoba mengubah sesuatu di sini dengan sesi Anda. Tidak ada yang diubah.",
        "If it was you, open this site and repeat the step there.":
            "Jika itu Anda, buka situs ini dan ulangi langkahnya di sana.",
        "You were away for a while, or signed out in another window.":
            "Anda pergi beberapa saat, atau keluar di jendela lain.",
        "Sign in again to go on where you were.":
            "Masuk lagi untuk melanjutkan dari tempat Anda tadi.",
        "One more step is needed":
            "Perlu satu langkah lagi",
        "This page asks for a sign-in with a second factor, and yours had none.":
            "Halaman ini meminta proses masuk dengan faktor kedua, dan milik Anda tidak memakainya.",
        "Sign in again and confirm with your second factor.":
            "Masuk lagi dan konfirmasi dengan faktor kedua Anda.",
        "The sign-in was not allowed":
            "Proses masuk tidak diizinkan",
        "The provider did not let this sign-in through, or it was cancelled there.":
            "Penyedia tidak meloloskan proses masuk ini, atau dibatalkan di sana.",
        "If you cancelled by mistake, sign in again. If not, your account may lack access.":
            "Jika Anda tidak sengaja membatalkan, masuk lagi. Jika tidak, akun Anda mungkin tidak punya akses.",
        "This sign-in cannot be finished":
            "Proses masuk ini tidak dapat diselesaikan",
        "It was not started in this browser, or its cookie is gone.":
            "Proses ini tidak dimulai di peramban ini, atau cookie-nya sudah hilang.",
        "Start again from here. If it keeps happening, allow cookies for this site.":
            "Mulai lagi dari sini. Jika terus terjadi, izinkan cookie untuk situs ini.",
        "It took too long, or it was finished already.":
            "Terlalu lama, atau sudah diselesaikan sebelumnya.",
        "Start again from here.":
            "Mulai lagi dari sini.",
        "The answer came from another provider than the one you went to, so it was not accepted.":
            "Jawaban datang dari penyedia lain, bukan yang Anda tuju, jadi tidak diterima.",
        "Start again from here. If it happens again, tell the people who run this site.":
            "Mulai lagi dari sini. Jika terjadi lagi, beri tahu pengelola situs ini.",
        "The provider wants to ask you something":
            "Penyedia ingin menanyakan sesuatu",
        "The provider could not sign you in without showing you a page of its own.":
            "Penyedia tidak dapat memasukkan Anda tanpa menampilkan halamannya sendiri.",
        "Sign in again and follow what the provider asks.":
            "Masuk lagi dan ikuti yang diminta penyedia.",
        "The answer that came back from the provider was incomplete or contradictory.":
            "Jawaban dari penyedia tidak lengkap atau bertentangan.",
        "That link does not work":
            "Tautan itu tidak berfungsi",
        "Something in the address is missing, doubled or not allowed.":
            "Ada bagian alamat yang kurang, ganda, atau tidak diizinkan.",
        "Go to the start page and try from there.":
            "Buka halaman awal dan coba dari sana.",
        "That form is out of date":
            "Formulir itu sudah kedaluwarsa",
        "The page you sent was opened too long ago or belongs to another session. Nothing was changed.":
            "Halaman yang Anda kirim dibuka terlalu lama atau milik sesi lain. Tidak ada yang diubah.",
        "Open the page again and repeat the step.":
            "Buka lagi halamannya dan ulangi langkah itu.",
        "There is no such sign-in here":
            "Cara masuk itu tidak ada di sini",
        "The provider in this address is not set up on this site, or is switched off.":
            "Penyedia di alamat ini tidak disiapkan di situs ini, atau dimatikan.",
        "Choose one of the ways to sign in that this site offers.":
            "Pilih salah satu cara masuk yang ditawarkan situs ini.",
        "The provider could not sign you in":
            "Penyedia tidak dapat memasukkan Anda",
        "The provider answered with an error of its own.":
            "Penyedia menjawab dengan galatnya sendiri.",
        "Try again in a moment. If it stays like this, the people who run this site need to look at it.":
            "Coba lagi sebentar lagi. Jika tetap begini, pengelola situs ini perlu memeriksanya.",
        "The provider's answer did not check out":
            "Jawaban penyedia tidak lolos pemeriksaan",
        "What the provider said about you failed a security check, so it was not accepted.":
            "Yang dikatakan penyedia tentang Anda tidak lolos pemeriksaan keamanan, jadi tidak diterima.",
        "Try again. If it stays like this, the people who run this site need to look at it.":
            "Coba lagi. Jika tetap begini, pengelola situs ini perlu memeriksanya.",
        "The provider confirmed the sign-in in a form that this site cannot use.":
            "Penyedia mengonfirmasi proses masuk dalam bentuk yang tidak dapat dipakai situs ini.",
        "The provider did not say in a usable form who you are.":
            "Penyedia tidak menyatakan siapa Anda dalam bentuk yang dapat dipakai.",
        "Two answers of the provider were about different people, so neither was accepted.":
            "Dua jawaban penyedia menyangkut orang yang berbeda, jadi keduanya tidak diterima.",
        "The provider cannot be reached":
            "Penyedia tidak dapat dihubungi",
        "This site could not talk to the provider that signs you in.":
            "Situs ini tidak dapat menghubungi penyedia yang memasukkan Anda.",
        "Try again in a minute. Your account is fine.":
            "Coba lagi sebentar lagi. Akun Anda baik-baik saja.",
        "The provider takes too long":
            "Penyedia terlalu lama menjawab",
        "The provider that signs you in did not answer in time.":
            "Penyedia yang memasukkan Anda tidak menjawab tepat waktu.",
        "Sessions are not available":
            "Sesi sedang tidak tersedia",
        "The sign-out did not work":
            "Gagal keluar",
        "This site could not record that you signed out.":
            "Situs ini tidak dapat mencatat bahwa Anda telah keluar.",
        "Try again in a minute. On a shared computer, close the browser in any case.":
            "Coba lagi satu menit lagi. Di komputer bersama, tutup peramban dalam keadaan apa pun.",
        "This site cannot reach the place where it keeps sessions.":
            "Situs ini tidak dapat mencapai tempat penyimpanan sesinya.",
        "Try again in a minute. You have not been signed out.":
            "Coba lagi sebentar lagi. Anda tidak dikeluarkan.",
        "That token was refused":
            "Token itu ditolak",
        "The token is malformed, expired, not meant for this site, or of a kind that is not taken here.":
            "Token itu rusak, kedaluwarsa, bukan untuk situs ini, atau dari jenis yang tidak diterima di sini.",
        "Get a fresh token for this site and send it in the Authorization header.":
            "Ambil token baru untuk situs ini dan kirim di header Authorization.",
        "That token allows too little":
            "Izin token itu terlalu sedikit",
        "The token is good, but it lacks a scope that is needed here.":
            "Token itu sah, tetapi tidak memiliki cakupan yang diperlukan di sini.",
        "Ask the provider for a token with the scopes of this API.":
            "Minta token dengan cakupan API ini kepada penyedia.",
        "That logout token was refused":
            "Token keluar itu ditolak",
        "The logout token is malformed, expired, used before or not meant for this site.":
            "Token keluar itu salah bentuk, kedaluwarsa, sudah dipakai, atau bukan untuk situs ini.",
        "Send a fresh logout token.":
            "Kirim token keluar yang baru.",
        "The request was not understood":
            "Permintaan tidak dipahami",
        "Your browser or program sent something that this site does not accept.":
            "Peramban atau program Anda mengirim sesuatu yang tidak diterima situs ini.",
        "Check the address, or go to the start page.":
            "Periksa alamatnya, atau buka halaman awal.",
        "The app cannot be reached":
            "Aplikasi tidak dapat dihubungi",
        "You got this far, but the app behind this page did not give a usable answer.":
            "Anda sudah sampai di sini, tetapi aplikasi di balik halaman ini tidak memberi jawaban yang dapat dipakai.",
        "Try again in a minute. If it stays like this, tell the people who run this site.":
            "Coba lagi sebentar lagi. Jika tetap begini, beri tahu pengelola situs ini.",
        "Something went wrong here":
            "Ada yang salah di sini",
        "The gateway ran into a fault of its own. It is not something you did.":
            "Gateway mengalami kesalahan sendiri. Ini bukan akibat tindakan Anda.",
        "The rules of this site do not allow this request.":
            "Aturan situs ini tidak mengizinkan permintaan ini.",
        "If you think they should, ask the people who run this site.":
            "Jika menurut Anda seharusnya boleh, tanyakan kepada pengelola situs ini.",
        "This page may not connect here":
            "Halaman ini tidak boleh terhubung ke sini",
        "A page of another site tried to connect here with your session, and was not let in.":
            "Halaman situs lain mencoba terhubung ke sini dengan sesi Anda, dan ditolak.",
        "If it is a page of yours, it must come from this site's own address.":
            "Jika itu halaman Anda, halaman itu harus berasal dari alamat situs ini sendiri.",
        "There is nothing here":
            "Tidak ada apa-apa di sini",
        "This address does not lead to a page.":
            "Alamat ini tidak menuju ke halaman mana pun.",
        "Check the address for a slip, or go to the start page.":
            "Periksa apakah ada salah ketik di alamat, atau buka halaman awal.",
        "That cannot be done here":
            "Itu tidak dapat dilakukan di sini",
        "This address does not take that kind of request.":
            "Alamat ini tidak menerima jenis permintaan itu.",
        "Go back and follow the links or buttons of the page.":
            "Kembali dan ikuti tautan atau tombol di halaman.",
        "The request took too long to arrive":
            "Permintaan terlalu lama sampai",
        "Your browser or program did not finish sending in time.":
            "Peramban atau program Anda tidak selesai mengirim tepat waktu.",
        "Check your connection and try again.":
            "Periksa koneksi Anda dan coba lagi.",
        "That is too large":
            "Itu terlalu besar",
        "What you sent is larger than this site accepts.":
            "Yang Anda kirim lebih besar daripada yang diterima situs ini.",
        "Send something smaller, or ask the people who run this site to raise the limit.":
            "Kirim yang lebih kecil, atau minta pengelola situs ini menaikkan batasnya.",
        "That address is too long":
            "Alamat itu terlalu panjang",
        "The address is longer than this site accepts.":
            "Alamat itu lebih panjang daripada yang diterima situs ini.",
        "Your program expects something that this site does not offer.":
            "Program Anda mengharapkan sesuatu yang tidak ditawarkan situs ini.",
        "Send the request without the Expect header.":
            "Kirim permintaan tanpa header Expect.",
        "This is not the right place":
            "Ini bukan tempat yang tepat",
        "The name in the address does not belong to this site.":
            "Nama di alamat itu bukan milik situs ini.",
        "Check the address for a slip.":
            "Periksa apakah ada salah ketik di alamat.",
        "That was a lot at once":
            "Itu terlalu banyak sekaligus",
        "There were too many requests in a short time.":
            "Ada terlalu banyak permintaan dalam waktu singkat.",
        "Wait a minute, then try again.":
            "Tunggu sebentar, lalu coba lagi.",
        "Your browser sent too much at once":
            "Peramban Anda mengirim terlalu banyak sekaligus",
        "The request's headers are larger than this site accepts. Most often that is old cookies.":
            "Header permintaan lebih besar daripada yang diterima situs ini. Biasanya karena cookie lama.",
        "Delete the cookies of this site and try again.":
            "Hapus cookie situs ini dan coba lagi.",
        "That is not supported":
            "Itu tidak didukung",
        "The request uses a feature that this site does not support.":
            "Permintaan memakai fitur yang tidak didukung situs ini.",
        "Temporarily unavailable":
            "Sementara tidak tersedia",
        "This site keeps a record of sign-ins and access, and it cannot write that record at the moment.":
            "Situs ini mencatat proses masuk dan akses, dan saat ini catatan itu tidak dapat ditulis.",
        "The site is busy or restarting":
            "Situs sedang sibuk atau dimulai ulang",
        "The site cannot take the request right now.":
            "Situs tidak dapat menerima permintaan saat ini.",
        "Try again in a minute.":
            "Coba lagi sebentar lagi.",
        "The app is busy":
            "Aplikasi sedang sibuk",
        "The app behind this page has as many requests as it can take.":
            "Aplikasi di balik halaman ini sudah menerima permintaan sebanyak yang dapat ditanganinya.",
        "The app takes too long":
            "Aplikasi terlalu lama menjawab",
        "The app behind this page did not answer in time. It may still be working on what you sent.":
            "Aplikasi di balik halaman ini tidak menjawab tepat waktu. Mungkin masih mengerjakan yang Anda kirim.",
        "Wait a minute before you try again.":
            "Tunggu sebentar sebelum mencoba lagi.",
        "Your program speaks a version of HTTP that this site does not.":
            "Program Anda memakai versi HTTP yang tidak dipakai situs ini.",
        "Use HTTP/1.1 or HTTP/2.":
            "Gunakan HTTP/1.1 atau HTTP/2.",
        "The request went in a circle":
            "Permintaan berputar-putar",
        "The request came back to this gateway: the app's address leads here again.":
            "Permintaan kembali ke gateway ini: alamat aplikasi menuju ke sini lagi.",
        "Tell the people who run this site: an upstream points at the gateway itself.":
            "Beri tahu pengelola situs ini: sebuah upstream menunjuk ke gateway itu sendiri.",
        "Sign in":
            "Masuk",
        "to continue to {site}":
            "untuk melanjutkan ke {site}",
        "Continue with {provider}":
            "Lanjutkan dengan {provider}",
        "Last used":
            "Terakhir dipakai",
        "No way to sign in is switched on here at the moment. Please tell the people who run this site.":
            "Saat ini tidak ada cara masuk yang diaktifkan di sini. Silakan beri tahu pengelola situs ini.",
        "Your session has ended. Sign in to go on where you were.":
            "Sesi Anda telah berakhir. Masuk untuk melanjutkan dari tempat Anda tadi.",
        "This page asks for a recent sign-in. Please sign in once more.":
            "Halaman ini meminta proses masuk yang baru. Silakan masuk sekali lagi.",
        "That sign-in took too long or was already used. Please start again.":
            "Proses masuk itu terlalu lama atau sudah dipakai. Silakan mulai lagi.",
        "That provider cannot be reached right now. Try again in a moment, or choose another one.":
            "Penyedia itu sedang tidak dapat dihubungi. Coba lagi sebentar lagi, atau pilih yang lain.",
        "What you entered has not been sent. Your browser's Back button brings it back: sign in first, then send it again.":
            "Isian Anda belum terkirim. Tombol Kembali di peramban Anda akan menampilkannya lagi: masuklah dahulu, lalu kirim sekali lagi.",
        "Sign out?":
            "Keluar?",
        "Sign out":
            "Keluar",
        "You are signed in to {site}.":
            "Anda masuk di {site}.",
        "You are signed in to {site} as {name}.":
            "Anda masuk di {site} sebagai {name}.",
        "Stay signed in":
            "Tetap masuk",
        "You are signed out":
            "Anda sudah keluar",
        "You are not signed in":
            "Anda belum masuk",
        "Your session at {site} has ended.":
            "Sesi Anda di {site} telah berakhir.",
        "You may still be signed in at {provider}. On a computer that others use, sign out there too.":
            "Anda mungkin masih masuk di {provider}. Di komputer yang dipakai bersama, keluarlah juga di sana.",
        "There is no session to end at {site}.":
            "Tidak ada sesi yang perlu diakhiri di {site}.",
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
        "Request":
            "Permintaan",
        "Provider":
            "Penyedia",
        "If you ask for help, please pass on the code and the request number above.":
            "Jika Anda meminta bantuan, sertakan kode dan nomor permintaan di atas.",
    ]
}
