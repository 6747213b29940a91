package import Accounts
import Primitives
package import TokenCrypto

/// What an enrolment is to prove: that the user has this factor.
///
/// The sealed value is in a field of the page or the client, for the browser that began it.
package struct EnrolmentSubject: PendingPayload {
    package static let purpose = "enrolment"

    package enum Kind: Sendable, Equatable {
        case totp(TOTPSecret)
        case webauthn
        case phone(PhoneNumber)
    }

    package let kind: Kind
    package let displayName: String?

    init(_ kind: Kind, displayName: String?) {
        self.kind = kind
        self.displayName = displayName
    }

    package init?(members: [String: JSONValue]) {
        switch members["type"]?.string.flatMap(FactorType.init) {
        case .totp:
            guard let bytes = members.bytes("secret") else { return nil }
            kind = .totp(TOTPSecret(bytes: bytes))
        case .webauthn: kind = .webauthn
        case .phone:
            guard let number = members["phone"]?.string.flatMap(PhoneNumber.init) else { return nil }
            kind = .phone(number)
        case .recovery, nil: return nil
        }
        displayName = members["name"]?.string
    }

    package var members: [String: JSONValue] {
        var members: [String: JSONValue] = ["type": .string(type.rawValue)]
        members["name"] = displayName.map { .string($0) }
        switch kind {
        case .totp(let secret): members["secret"] = .string(Base64URL.encode(secret.bytes))
        case .webauthn: break
        case .phone(let number): members["phone"] = .string(number.text)
        }
        return members
    }

    package var type: FactorType {
        switch kind {
        case .totp: .totp
        case .webauthn: .webauthn
        case .phone: .phone
        }
    }
}

package typealias PendingEnrolment = Pending<EnrolmentSubject>

extension Pending where Payload == EnrolmentSubject {
    package var subject: EnrolmentSubject.Kind { payload.kind }
    package var displayName: String? { payload.displayName }
    package var type: FactorType { payload.type }
}
