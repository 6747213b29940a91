extension Schema {
    static let tls: [Key] = [
        Key("certificate", .scalar(.path), required: true, example: "/etc/tls/tls.crt", "PEM file with the certificate chain."),
        Key("key", .scalar(.path), required: true, example: "/etc/tls/tls.key", "PEM file with the private key."),
        Key(
            "certificates", .list(of: .mapping(.tlsCertificate)), fallback: "[]",
            example: "[{ certificate: /etc/tls/shop.crt, key: /etc/tls/shop.key }]",
            "Further certificates. A client is shown the one whose names (subjectAltName) hold the name it asks for, exactly or by a wildcard; else the first."
        ),
        Key(
            "minimumVersion", .scalar(.choice(TLSVersion.self)), fallback: "\"1.2\"",
            "The oldest TLS version that is spoken: `\"1.2\"` or `\"1.3\"`."),
        Key("clientCertificates", .mapping(.clientCertificates), "Ask clients for a certificate."),
    ]

    static let tlsCertificate: [Key] = [
        Key("certificate", .scalar(.path), required: true, example: "/etc/tls/shop.crt", "PEM file with the certificate chain."),
        Key("key", .scalar(.path), required: true, example: "/etc/tls/shop.key", "PEM file with the private key."),
    ]

    static let clientCertificates: [Key] = [
        Key(
            "authority", .scalar(.path), required: true, example: "/etc/tls/clients-ca.pem",
            "PEM file with the certificates that a client's must lead to."),
        Key(
            "mode", .scalar(.choice(ClientCertificateMode.self)), fallback: "required",
            "`required` ends the handshake of a client that shows none, `optional` lets it in. One that does not verify is never let in."),
    ]
}
