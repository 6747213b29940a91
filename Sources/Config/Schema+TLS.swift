extension Schema {
    static let tls: [Key] = [
        Key("certificate", .scalar(.path), required: true, example: "/etc/tls/tls.crt", "The PEM file of the certificate chain."),
        Key("key", .scalar(.path), required: true, example: "/etc/tls/tls.key", "The PEM file of the private key."),
        Key(
            "certificates", .list(of: .mapping(.tlsCertificate)), fallback: "[]",
            example: "[{ certificate: /etc/tls/shop.crt, key: /etc/tls/shop.key }]",
            "Additional certificates. The gateway selects the one whose names (subjectAltName) match the requested name exactly or by a wildcard, otherwise the first."
        ),
        Key(
            "minimumVersion", .scalar(.choice(TLSVersion.self)), fallback: "\"1.2\"",
            "The minimum TLS version: `\"1.2\"` or `\"1.3\"`."),
        Key("clientCertificates", .mapping(.clientCertificates), "Certificates that clients must or may present."),
    ]

    static let tlsCertificate: [Key] = [
        Key("certificate", .scalar(.path), required: true, example: "/etc/tls/shop.crt", "The PEM file of the certificate chain."),
        Key("key", .scalar(.path), required: true, example: "/etc/tls/shop.key", "The PEM file of the private key."),
    ]

    static let clientCertificates: [Key] = [
        Key(
            "authority", .scalar(.path), required: true, example: "/etc/tls/clients-ca.pem",
            "The PEM file of the certificate authorities for client certificates."),
        Key(
            "mode", .scalar(.choice(ClientCertificateMode.self)), fallback: "required",
            "`required` rejects clients without a certificate, `optional` accepts them. Clients with an invalid certificate are always rejected."
        ),
    ]
}
