/// A public key with its kind.
struct PublicKey: Sendable {
    let kind: KeyKind
    let handle: KeyHandle
}
