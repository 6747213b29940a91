import TokenCrypto

extension Session.Tokens: Redacted {}
