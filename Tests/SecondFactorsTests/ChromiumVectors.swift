/// Registrations and assertions that Chromium 156 made with its virtual authenticator, from options of this module's form.
///
/// User verification was required; the challenge is the bytes 0 to 31, the uid `uid`.
struct ChromiumVector: Sendable {
    static let origin = "http://localhost:38751"

    let algorithm: Int64
    let id: String
    let attestationObject: String
    let registrationClientData: String
    let authenticatorData: String
    let assertionClientData: String
    let signature: String

    static let all: [ChromiumVector] = [
        ChromiumVector(
            algorithm: -7, id: "tzQiqRylKcmjbVgy3v_KoI_jX20r2AVzNelmZwVQrrw",
            attestationObject: """
                o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAQAAAAAAAAAA\
                AAAAAAAAAAAAILc0IqkcpSnJo21YMt7_yqCP419tK9gFczXpZmcFUK68pQECAyYgASFYIPa4E6MDz_okpoYuk0_HdJ3gUwBFzCfw\
                yz4IWgVibJokIlggpBD5_3JKEkTx9a0Ai6kQ4BgQyTsMBWdUK8FmHQTpK3w
                """,
            registrationClientData: """
                eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiQUFFQ0F3UUZCZ2NJQ1FvTERBME9EeEFSRWhNVUZSWVhHQmth\
                R3h3ZEhoOCIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6Mzg3NTEiLCJjcm9zc09yaWdpbiI6ZmFsc2V9
                """,
            authenticatorData: """
                SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAg
                """,
            assertionClientData: """
                eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiQUFFQ0F3UUZCZ2NJQ1FvTERBME9EeEFSRWhNVUZSWVhHQmthR3h3\
                ZEhoOCIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6Mzg3NTEiLCJjcm9zc09yaWdpbiI6ZmFsc2UsIm90aGVyX2tleXNfY2Fu\
                X2JlX2FkZGVkX2hlcmUiOiJkbyBub3QgY29tcGFyZSBjbGllbnREYXRhSlNPTiBhZ2FpbnN0IGEgdGVtcGxhdGUuIFNlZSBodHRw\
                czovL2dvby5nbC95YWJQZXgifQ
                """,
            signature: """
                MEUCIAD69nkYfVBQ3vOpeTu_esom351b59hHuj1mzYlEuxvcAiEA1-hSLmNNsdMYrpkgDcTsk2DabUz--0n3jQDPJFq3pRA
                """
        ),
        ChromiumVector(
            algorithm: -8, id: "XiNyUJM0wEgRJZJ0vIgeCcQEx-RJ_C2WOpraJZRZNBY",
            attestationObject: """
                o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViBSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAQAAAAAAAAAA\
                AAAAAAAAAAAAIF4jclCTNMBIESWSdLyIHgnEBMfkSfwtljqa2iWUWTQWpAEBAycgBiFYIHmnz16elI00782opzrkzJgtXrGRcqwr\
                v2qJH5wZUJZk
                """,
            registrationClientData: """
                eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiQUFFQ0F3UUZCZ2NJQ1FvTERBME9EeEFSRWhNVUZSWVhHQmth\
                R3h3ZEhoOCIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6Mzg3NTEiLCJjcm9zc09yaWdpbiI6ZmFsc2UsIm90aGVyX2tleXNf\
                Y2FuX2JlX2FkZGVkX2hlcmUiOiJkbyBub3QgY29tcGFyZSBjbGllbnREYXRhSlNPTiBhZ2FpbnN0IGEgdGVtcGxhdGUuIFNlZSBo\
                dHRwczovL2dvby5nbC95YWJQZXgifQ
                """,
            authenticatorData: """
                SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAg
                """,
            assertionClientData: """
                eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiQUFFQ0F3UUZCZ2NJQ1FvTERBME9EeEFSRWhNVUZSWVhHQmthR3h3\
                ZEhoOCIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6Mzg3NTEiLCJjcm9zc09yaWdpbiI6ZmFsc2V9
                """,
            signature: """
                f4goMYID5KKLuiedzdmx_Owk8uIakASlnxVI6cZHs6iUY9FstkXr3JZSwVGDVtkDdCC76qJTEV7xiF852U0XBw
                """
        ),
        ChromiumVector(
            algorithm: -257, id: "sKwxVoPj124HgDnHRJzzGCHuApz9J_l-ab0I0f-epUY",
            attestationObject: """
                o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVkBZ0mWDeWIDoxodDQXD2R2YFuP5K65ooYyx5lc87qDHZdjRQAAAAEAAAAAAAAA\
                AAAAAAAAAAAAACCwrDFWg-PXbgeAOcdEnPMYIe4CnP0n-X5pvQjR_56lRqQBAwM5AQAgWQEAyK0prpYHZg9MrHYMoLwYPwh5-RpU\
                7V7z8fBFuE1Hz9zU6hLanWIYaz0fN8ogc1dTm99nqG4mXrpP1iIJYxl_7QxESkuOBLdZwaFBPpkZUGMFsrqtRrWOQkOFIf_sXkAV\
                gJtkR5c29qJ_2AD_PD_US-3VY90YVCP5AJDMYC7lUUprLhfCjv6VJfEGZ1sqCW6bE4ycUWfvh_08g58DpBjRYz8ywIBsH8nZ14Kz\
                fHMfg_5CsmSutYx9vOGIUwTBT4uSv29Qb9W9QeSKynD0weYn_ubbLsrC6-gTTmnO6MAN5y28arBtrLoM07wUkcoBoQU24li862P5\
                8EBnEnL00nnmtSFDAQAB
                """,
            registrationClientData: """
                eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiQUFFQ0F3UUZCZ2NJQ1FvTERBME9EeEFSRWhNVUZSWVhHQmth\
                R3h3ZEhoOCIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6Mzg3NTEiLCJjcm9zc09yaWdpbiI6ZmFsc2V9
                """,
            authenticatorData: """
                SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAg
                """,
            assertionClientData: """
                eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiQUFFQ0F3UUZCZ2NJQ1FvTERBME9EeEFSRWhNVUZSWVhHQmthR3h3\
                ZEhoOCIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6Mzg3NTEiLCJjcm9zc09yaWdpbiI6ZmFsc2V9
                """,
            signature: """
                xiKAUWLZSmaHoWbw-Y7vEgh4HF6hOhvzyUzDiAon1-U30g_hwU-Pj50yiP4M1mx1A5eIZsvUFNj5tzmreUhFVvEvwHQJfzgh_vN8\
                1s2b0EGQ7-BcDgyF51NayvupZkmoRvU8jstXNdpgiGmnU1NzSNRX1ef2WRU_jWVP8fennQ1ybjzI7PKz6Ek7YzEOqQpzmquTDyI9\
                BU3SPTqcXWwjAu-1wjoz5qya5SM-2EENGfr6GPDgY9y6Y112zPisgtOjLEX-8WYc70MFIwgYzCoqHIE13nMYvU1s20h8jIwLpCuQ\
                mqAQJtdWww3mzFQKIpiEc8i1-wYEG8PfT1POFfqL2w
                """
        ),
    ]
}
