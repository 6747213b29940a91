package import TokenCrypto

/// The bytes of a file of revocations: a head with the digests' key, sealed with the session keys, then records of a fixed size.
///
/// A record is its kind, digest, times, and eight bytes of a keyed hash over these. A crash can leave the last records incomplete or
/// garbled, and only those: anything unreadable before a readable record means that the file was damaged otherwise.
package enum RevocationFileFormat {
    package enum Problem: Error, Sendable, Equatable {
        case notOurs
        case noKeyOpensIt
        case damaged(record: Int)

        package var reason: String {
            switch self {
            case .notOurs: "it is not a file of revocations"
            case .noKeyOpensIt:
                "no key of session.keys opens it. Put the key that it was written with back. If the keys were replaced on purpose, which ends "
                    + "every session, delete the file"
            case .damaged(let record): "record \(record) is damaged. Restore the file, or delete it: then sign-outs from before are undone"
            }
        }
    }

    package struct Contents: Sendable {
        package let digester: RevocationDigester
        package let records: [RevocationRecord]
        /// Bytes at the end that a crash left behind.
        package let tornBytes: Int
    }

    private static let magic = Array("gateway revocations 1\n".utf8)
    private static let associatedData = Array("gateway revocations 1".utf8)
    private static let codeSize = 8
    package static let recordSize = 1 + RevocationDigest.size + 8 + 8 + codeSize

    package static func ring(_ sessionKeys: [[UInt8]]) -> SealingKeyRing { SealingKeyRing(keys: sessionKeys, purpose: "revocations") }

    package static func head(_ digester: RevocationDigester, ring: SealingKeyRing) -> [UInt8] {
        let sealed = ring.seal(digester.key, associatedData: associatedData)
        return magic + [UInt8(truncatingIfNeeded: sealed.count)] + sealed
    }

    package static func encode(_ record: RevocationRecord, _ digester: RevocationDigester) -> [UInt8] {
        var bytes = [record.kind.rawValue]
        bytes.append(bigEndian: record.digest.high)
        bytes.append(bigEndian: record.digest.low)
        bytes.append(bigEndian: UInt64(bitPattern: record.issuedUpTo))
        bytes.append(bigEndian: UInt64(bitPattern: record.expiry))
        return bytes + code(of: bytes[...], digester)
    }

    package static func decode(_ bytes: [UInt8], ring: SealingKeyRing) throws(Problem) -> Contents {
        guard bytes.starts(with: magic), bytes.count > magic.count else { throw .notOurs }
        let start = magic.count + 1
        let end = start + Int(bytes[magic.count])
        guard end <= bytes.count else { throw .notOurs }
        guard let key = ring.open(Array(bytes[start..<end]), associatedData: associatedData), let digester = RevocationDigester(key: key)
        else { throw .noKeyOpensIt }
        var records: [RevocationRecord] = []
        var firstUnreadable: Int?
        var offset = end
        while bytes.count - offset >= recordSize {
            if let record = record(bytes[offset..<offset + recordSize], digester) {
                if firstUnreadable != nil { throw .damaged(record: records.count + 1) }
                records.append(record)
            } else if firstUnreadable == nil {
                firstUnreadable = offset
            }
            offset += recordSize
        }
        return Contents(digester: digester, records: records, tornBytes: bytes.count - (firstUnreadable ?? offset))
    }

    private static func record(_ bytes: ArraySlice<UInt8>, _ digester: RevocationDigester) -> RevocationRecord? {
        let stated = bytes.suffix(codeSize)
        let content = bytes.dropLast(codeSize)
        guard constantTimeEqual(Array(stated), code(of: content, digester)), let first = content.first,
            let kind = RevocationRecord.Kind(rawValue: first)
        else { return nil }
        func number(_ index: Int) -> UInt64 {
            let start = content.startIndex + 1 + 8 * index
            return UInt64(bigEndian: content[start..<start + 8])
        }
        return RevocationRecord(
            kind, RevocationDigest(high: number(0), low: number(1)), issuedUpTo: Int64(bitPattern: number(2)),
            expiry: Int64(bitPattern: number(3)))
    }

    private static func code(of bytes: ArraySlice<UInt8>, _ digester: RevocationDigester) -> [UInt8] {
        Array(HMAC.sha256(key: digester.key, Array("record".utf8) + bytes).prefix(codeSize))
    }
}
