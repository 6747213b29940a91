package import TokenCrypto

extension Session.Tokens: Redacted {}
