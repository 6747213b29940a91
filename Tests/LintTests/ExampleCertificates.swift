/// Certificates and keys that exist only in tests.
enum ExampleCertificates {
    static let files: [String: String] = [
        "app.crt": """
        -----BEGIN CERTIFICATE-----
        MIIBXzCCAQWgAwIBAgIBBzAKBggqhkjOPQQDAjASMRAwDgYDVQQDDAdleGFtcGxl
        MCAXDTI0MDEwMTAwMDAwMFoYDzIxMjQwMTAxMDAwMDAwWjASMRAwDgYDVQQDDAdl
        eGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAESRsN+ACZLsQPE8IsMt9W
        na9i/uu+nSuvD+/33+4lpDoSocyZjSHZUlDMzDgLikvVgFgGpjWfs37GZtPXAGCg
        taNKMEgwRgYDVR0RBD8wPYIPYXBwLmV4YW1wbGUuY29tghIqLmFwcHMuZXhhbXBs
        ZS5jb22HBMAAAgeHECABDbgAAAAAAAAAAAAAAAEwCgYIKoZIzj0EAwIDSAAwRQIg
        eSt1pIyPeObKo3AjvrCRYNzUWpg0EGvH8V8+X+WbbvICIQCQvPDPDpjbCOmu577C
        wdmgNr5ys6sTTyVeDSJBmeCmFw==
        -----END CERTIFICATE-----

        """,
        "expired.crt": """
        -----BEGIN CERTIFICATE-----
        MIIBMDCB16ADAgECAgEHMAoGCCqGSM49BAMCMBIxEDAOBgNVBAMMB2V4YW1wbGUw
        HhcNMTkwMTAxMDAwMDAwWhcNMjAwMTAxMDAwMDAwWjASMRAwDgYDVQQDDAdleGFt
        cGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAESRsN+ACZLsQPE8IsMt9Wna9i
        /uu+nSuvD+/33+4lpDoSocyZjSHZUlDMzDgLikvVgFgGpjWfs37GZtPXAGCgtaMe
        MBwwGgYDVR0RBBMwEYIPYXBwLmV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUC
        IH74Mlxx5AmbAaTIsGLV9NUTk/ZaErvIQhaYyuqPgaBrAiEA45VlrTq/MPwy9w37
        gXqjmF28bfHhlPZAo65QzTvveRw=
        -----END CERTIFICATE-----

        """,
        "app.key": """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxohMgpsLU2TgQIjA
        Jg2/LUOHPnMYvIJgW8nSdAoZTa2hRANCAARJGw34AJkuxA8Twiwy31adr2L+676d
        K68P7/ff7iWkOhKhzJmNIdlSUMzMOAuKS9WAWAamNZ+zfsZm09cAYKC1
        -----END PRIVATE KEY-----

        """,
        "other.key": """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguGRIx8WeVLO3Rl01
        8xSZm2ZIjHdv6ZGChgTTPKqp6iqhRANCAAQibN6YPMILlrBkPbRZmOq3h1ZSIvTi
        E0tT5r8yWNZKMhRCK0lNf3l9c4bMgvxdC2nvKKRje+Ikmjr9AhP/WXT7
        -----END PRIVATE KEY-----

        """,
        "locked.key": """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIH0MF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBAvhyC0HHLenNilafUK
        duJjAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQmOG37nY9P/LU/Jpg
        eHIzgASBkLqvZyShhhxISwAuDNraO/IcG04OBlj/wJ/0zPceSfDqPdNtmmrJnjMG
        2fJ8EQ6D0GO9Y1njjLbDNSVcCrmqrLEGD7flj2HI+EA5A6bvYjJP7N+HqoR1g91i
        MijqAfBL3YAJo0FzqTHe+nsYDHKfAfyi+O3JAotPew62vCACMm26Dze2Ka5rghjN
        BiBIv5XOsw==
        -----END ENCRYPTED PRIVATE KEY-----

        """,
    ]
}
