import Accounts
import TokenCrypto

/// A session as compact bytes, for sealing and for stores.
///
/// A version byte, then every field in a fixed order, each of fixed size or with its length before it,
/// so that a byte can belong to one field only. Claims are JSON text. Decoding is strict: another version,
/// a length beyond the end, a count not in its shortest form, invalid UTF-8, invalid JSON or bytes
/// after the last field give nil.
package enum SessionCodec {
    static let version: UInt8 = 1
    private static let idSize = 16
    private static let proofKeySize = 32

    package static func encode(_ session: Session) -> [UInt8] {
        var writer = FieldWriter()
        writer.write(byte: version)
        writer.write(fixed: session.id)
        writer.write(session.generation)
        writer.write(session.authTime)
        writer.write(session.issuedAt)
        writer.write(session.seenAt)
        writer.write(session.uid)
        writer.write(session.providerSessionID)
        write(session.identity, to: &writer)
        write(session.tokens, to: &writer)
        return writer.bytes
    }

    package static func decode(_ bytes: [UInt8]) -> Session? { bytes.withUnsafeBytes(decode) }

    package static func decode(_ bytes: UnsafeRawBufferPointer) -> Session? {
        var reader = FieldReader(bytes)
        guard reader.byte() == version, let id = reader.fixed(idSize), let generation = reader.integer(UInt32.self),
            let authTime = reader.integer(Int64.self), let issuedAt = reader.integer(Int64.self),
            let seenAt = reader.integer(Int64.self), let uid = reader.text(), let providerSessionID = reader.optionalText(),
            let identity = readIdentity(from: &reader), let tokens = readTokens(from: &reader), reader.isAtEnd
        else { return nil }
        return Session(
            id: id, uid: uid, identity: identity, authTime: authTime, issuedAt: issuedAt, seenAt: seenAt,
            providerSessionID: providerSessionID, tokens: tokens, generation: generation)
    }

    // MARK: Identity

    private static func write(_ identity: ProviderIdentity, to writer: inout FieldWriter) {
        writer.write(identity.provider)
        writer.write(identity.issuer)
        writer.write(identity.subject)
        writer.write(identity.email)
        writer.write(byte: identity.emailVerified.map { $0 ? 2 : 1 } ?? 0)
        writer.write(identity.username)
        writer.write(identity.name)
        writer.write(identity.picture)
        writer.write(identity.locale)
        writer.write(count: identity.groups.count)
        for group in identity.groups { writer.write(group) }
        writer.write(identity.claims.serialized())
    }

    private static func readIdentity(from reader: inout FieldReader) -> ProviderIdentity? {
        guard let provider = reader.text(), let issuer = reader.text(), let subject = reader.text(), let email = reader.optionalText(),
            let verified = reader.byte(), verified <= 2, let username = reader.optionalText(), let name = reader.optionalText(),
            let picture = reader.optionalText(), let locale = reader.optionalText(), let groups = readGroups(from: &reader),
            let text = reader.text(), let claims = try? JSONValue(parsing: text)
        else { return nil }
        return ProviderIdentity(
            provider: provider, issuer: issuer, subject: subject, email: email, emailVerified: verified == 0 ? nil : verified == 2,
            username: username, name: name, picture: picture, locale: locale, groups: groups, claims: claims)
    }

    private static func readGroups(from reader: inout FieldReader) -> [String]? {
        // Each group takes a byte at least: what claims more groups than bytes is refused before any memory is taken.
        guard let count = reader.count(), count <= reader.remaining else { return nil }
        var groups: [String] = []
        groups.reserveCapacity(count)
        for _ in 0..<count {
            guard let group = reader.text() else { return nil }
            groups.append(group)
        }
        return groups
    }

    // MARK: Tokens

    private static func write(_ tokens: Session.Tokens, to writer: inout FieldWriter) {
        writer.write(tokens.accessToken)
        writer.write(tokens.refreshToken)
        writer.write(tokens.idToken)
        let key = tokens.proofKey.flatMap { $0.count == proofKeySize ? $0 : nil }
        writer.write(byte: (tokens.accessTokenExpiresAt == nil ? 0 : 1) | (key == nil ? 0 : 2))
        if let expiry = tokens.accessTokenExpiresAt { writer.write(expiry) }
        if let key { writer.write(fixed: key) }
    }

    private static func readTokens(from reader: inout FieldReader) -> Session.Tokens? {
        guard let accessToken = reader.optionalText(), let refreshToken = reader.optionalText(), let idToken = reader.optionalText(),
            let present = reader.byte(), present <= 3
        else { return nil }
        var expiry: Int64?
        if present & 1 != 0 {
            guard let time = reader.integer(Int64.self) else { return nil }
            expiry = time
        }
        var proofKey: [UInt8]?
        if present & 2 != 0 {
            guard let key = reader.fixed(proofKeySize) else { return nil }
            proofKey = key
        }
        return Session.Tokens(
            accessToken: accessToken, accessTokenExpiresAt: expiry, refreshToken: refreshToken, idToken: idToken, proofKey: proofKey)
    }
}
