import Accounts
import TokenCrypto

/// A session as compact bytes, for sealing and for stores.
///
/// A version byte, then every field in a fixed order, each of fixed size or with its length before it,
/// so that a byte can belong to one field only. What the ID token says already is not said again: it stands in front, and claims and
/// texts refer to it. Decoding is strict: another version, a length beyond the end, a count not in its shortest form, invalid UTF-8,
/// invalid JSON, a text spelled out where `encode` would have referred, or bytes after the last field give nil.
package enum SessionCodec {
    /// Of a session without facts about an account.
    static let version: UInt8 = 2
    /// The same with those facts behind it. Builds before accounts read version 2 only.
    static let accountVersion: UInt8 = 3
    private static let idSize = 16
    private static let proofKeySize = 32

    package static func encode(_ session: Session) -> [UInt8] {
        var writer = FieldWriter()
        writer.write(byte: session.account == nil ? version : accountVersion)
        writer.write(fixed: session.id)
        writer.write(session.generation)
        writer.write(session.authTime)
        writer.write(session.issuedAt)
        writer.write(session.seenAt)
        writer.write(session.uid)
        write(session.tokens, to: &writer)
        let source = TokenClaims(ofIDToken: session.tokens.idToken)
        // Claims of a hook are written once, with the account.
        let claims = provided(session.identity.claims, besides: session.account)
        source.write(claims, to: &writer)
        let known = KnownTexts(in: [source.payload, claims])
        known.write(session.providerSessionID, to: &writer)
        write(session.identity, known, to: &writer)
        if let account = session.account { write(account, known, to: &writer) }
        return writer.bytes
    }

    package static func decode(_ bytes: [UInt8]) -> Session? { decode(bytes.span.bytes) }

    package static func decode(_ bytes: RawSpan) -> Session? {
        var reader = FieldReader(bytes)
        guard let version = reader.byte(), version == Self.version || version == accountVersion, let id = reader.fixed(idSize),
            let generation = reader.integer(UInt32.self),
            let authTime = reader.time(), let issuedAt = reader.time(), let seenAt = reader.time(), let uid = reader.text(),
            let tokens = readTokens(from: &reader)
        else { return nil }
        let source = TokenClaims(ofIDToken: tokens.idToken)
        guard let claims = source.read(from: &reader) else { return nil }
        let known = KnownTexts(in: [source.payload, claims])
        guard let providerSessionID = known.readOptional(from: &reader), var identity = readIdentity(claims, known, from: &reader)
        else { return nil }
        var account: SessionAccount?
        if version == accountVersion {
            account = readAccount(known, from: &reader)
            guard let account else { return nil }
            identity.claims = account.merged(over: claims)
        }
        guard reader.isAtEnd else { return nil }
        return Session(
            id: id, uid: uid, identity: identity, authTime: authTime, issuedAt: issuedAt, seenAt: seenAt,
            providerSessionID: providerSessionID, tokens: tokens, generation: generation, account: account)
    }

    // MARK: Account

    private static let anonymousFlag: UInt8 = 1
    private static let secondFactorFlag: UInt8 = 2
    private static let methodsFlag: UInt8 = 4

    private static func provided(_ claims: JSONValue, besides account: SessionAccount?) -> JSONValue {
        guard let account, !account.claims.isEmpty, let object = claims.object else { return claims }
        return .object(object.filter { account.claims[$0.key] != $0.value })
    }

    private static func write(_ account: SessionAccount, _ known: KnownTexts, to writer: inout FieldWriter) {
        writer.write(
            byte: (account.isAnonymous ? anonymousFlag : 0) | (account.secondFactor == nil ? 0 : secondFactorFlag)
                | (account.methods.isEmpty ? 0 : methodsFlag))
        writer.write(count: account.providers.count)
        for provider in account.providers { known.write(provider, to: &writer) }
        writer.write(account.claims.isEmpty ? "" : JSONValue.object(account.claims).serialized())
        if let factor = account.secondFactor { writer.write(factor) }
        guard !account.methods.isEmpty else { return }
        writer.write(count: account.methods.count)
        for method in account.methods { known.write(method, to: &writer) }
    }

    private static func readAccount(_ known: KnownTexts, from reader: inout FieldReader) -> SessionAccount? {
        guard let flags = reader.byte(), flags & ~(anonymousFlag | secondFactorFlag | methodsFlag) == 0,
            let providers = readTexts(known, from: &reader),
            let text = reader.text()
        else { return nil }
        var claims: [String: JSONValue] = [:]
        if !text.isEmpty {
            // Only the form that `write` gives: one session has one encoding.
            guard let value = try? JSONValue(parsing: text), let object = value.object, !object.isEmpty, value.serialized() == text else {
                return nil
            }
            claims = object
        }
        var account = SessionAccount(providers: providers, isAnonymous: flags & anonymousFlag != 0, claims: claims)
        if flags & secondFactorFlag != 0 {
            guard let factor = reader.text() else { return nil }
            account.secondFactor = factor
        }
        if flags & methodsFlag != 0 {
            guard let methods = readTexts(known, from: &reader), !methods.isEmpty else { return nil }
            account.methods = methods
        }
        return account
    }

    // MARK: Identity

    private static func write(_ identity: ProviderIdentity, _ known: KnownTexts, to writer: inout FieldWriter) {
        known.write(identity.provider, to: &writer)
        known.write(identity.issuer, to: &writer)
        known.write(identity.subject, to: &writer)
        known.write(identity.email, to: &writer)
        writer.write(byte: identity.emailVerified.map { $0 ? 2 : 1 } ?? 0)
        known.write(identity.username, to: &writer)
        known.write(identity.name, to: &writer)
        known.write(identity.picture, to: &writer)
        known.write(identity.locale, to: &writer)
        writer.write(count: identity.groups.count)
        for group in identity.groups { known.write(group, to: &writer) }
    }

    private static func readIdentity(
        _ claims: JSONValue, _ known: KnownTexts, from reader: inout FieldReader
    ) -> ProviderIdentity? {
        guard let provider = known.read(from: &reader), let issuer = known.read(from: &reader),
            let subject = known.read(from: &reader), let email = known.readOptional(from: &reader),
            let verified = reader.byte(), verified <= 2, let username = known.readOptional(from: &reader),
            let name = known.readOptional(from: &reader), let picture = known.readOptional(from: &reader),
            let locale = known.readOptional(from: &reader), let groups = readTexts(known, from: &reader)
        else { return nil }
        return ProviderIdentity(
            provider: provider, issuer: issuer, subject: subject, email: email, emailVerified: verified == 0 ? nil : verified == 2,
            username: username, name: name, picture: picture, locale: locale, groups: groups, claims: claims)
    }

    private static func readTexts(_ known: KnownTexts, from reader: inout FieldReader) -> [String]? {
        // Each text takes a byte at least: a count beyond the bytes is refused before any memory is taken.
        guard let count = reader.count(), count <= reader.remaining else { return nil }
        var texts: [String] = []
        texts.reserveCapacity(count)
        for _ in 0..<count {
            guard let text = known.read(from: &reader) else { return nil }
            texts.append(text)
        }
        return texts
    }

    // MARK: Tokens

    private static func write(_ tokens: Session.Tokens, to writer: inout FieldWriter) {
        writer.write(token: tokens.accessToken)
        writer.write(token: tokens.refreshToken)
        writer.write(token: tokens.idToken)
        let key = tokens.proofKey.flatMap { $0.count == proofKeySize ? $0 : nil }
        let present: TokenFields = [
            tokens.accessTokenExpiresAt == nil ? [] : .expiry, key == nil ? [] : .proofKey,
            tokens.accessTokenLifetime == nil ? [] : .lifetime,
        ]
        writer.write(byte: present.rawValue)
        if let expiry = tokens.accessTokenExpiresAt { writer.write(expiry) }
        if let key { writer.write(fixed: key) }
        if let lifetime = tokens.accessTokenLifetime { writer.write(lifetime) }
    }

    private static func readTokens(from reader: inout FieldReader) -> Session.Tokens? {
        guard let accessToken = reader.token(), let refreshToken = reader.token(), let idToken = reader.token(),
            let present = reader.byte().map(TokenFields.init), present.isSubset(of: .all)
        else { return nil }
        var tokens = Session.Tokens(accessToken: accessToken, refreshToken: refreshToken, idToken: idToken)
        if present.contains(.expiry) {
            guard let time = reader.time() else { return nil }
            tokens.accessTokenExpiresAt = time
        }
        if present.contains(.proofKey) {
            guard let key = reader.fixed(proofKeySize) else { return nil }
            tokens.proofKey = key
        }
        if present.contains(.lifetime) {
            guard let lifetime = reader.integer(Int64.self), lifetime >= 0, lifetime <= PlausibleTime.milliseconds.upperBound else {
                return nil
            }
            tokens.accessTokenLifetime = lifetime
        }
        return tokens
    }

    /// The optional fields after the tokens. Earlier versions write only the first two; their sessions remain readable.
    private struct TokenFields: OptionSet {
        let rawValue: UInt8
        static let expiry = Self(rawValue: 1)
        static let proofKey = Self(rawValue: 2)
        static let lifetime = Self(rawValue: 4)
        static let all: Self = [.expiry, .proofKey, .lifetime]
    }
}
