extension Schema {
    static let pages: [Key] = [
        Key(
            "siteName", .scalar(.text), example: "Acme Portal",
            "What people call this place, on the gateway's pages; absent: the host of `publicURL`."),
        Key("templates", .mapping(.pageTemplates), "Pages of your own, as Mustache templates; absent ones are the built-in pages."),
        Key(
            "explainDenials", .scalar(.boolean), fallback: "false",
            "Whether the page of a refusal says which conditions of the rule did not hold. For test systems: it tells outsiders what to try."
        ),
    ]

    static let pageTemplates: [Key] = [
        Key("signIn", .scalar(.text), example: "\"${file:./pages/sign-in.mustache}\"", "The page with a button for each provider."),
        Key("signOut", .scalar(.text), example: "\"${file:./pages/sign-out.mustache}\"", "The page that asks before signing out."),
        Key("signedOut", .scalar(.text), example: "\"${file:./pages/signed-out.mustache}\"", "The page after signing out."),
        Key("error", .scalar(.text), example: "\"${file:./pages/error.mustache}\"", "The page that says what went wrong."),
        Key(
            "partials", .map(of: .scalar(.text), keys: "a partial's name"), example: "{ head: \"${file:./pages/head.mustache}\" }",
            "What several templates share, as `{{> name}}`; `{{> gateway-style}}` is the built-in look."),
    ]
}
