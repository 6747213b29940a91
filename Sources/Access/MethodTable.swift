/// The methods of all routes, by the leaf of the `PathTrie` that each route belongs to.
struct MethodTable: Sendable {
    /// The methods of one route; empty means every method.
    struct Methods: Sendable {
        fileprivate(set) var usual: MethodBits = []
        /// The numbers of other methods.
        fileprivate(set) var others: Set<UInt32> = []

        var isEmpty: Bool { usual.isEmpty && others.isEmpty }

        fileprivate var numbers: [UInt32] { usual.positions.map { UInt32($0) } + others }

        fileprivate func isSuperset(of other: Methods) -> Bool { usual.isSuperset(of: other.usual) && others.isSuperset(of: other.others) }
    }

    fileprivate struct Key: Hashable {
        var leaf: UInt32
        /// The position of a common method's bit, or the number of another method.
        var method: UInt32
    }

    fileprivate struct Taker {
        var route: UInt32
        var methods: Methods
    }

    /// The slots of a leaf: the first route for every method, one slot per common method, and the first route for any other method.
    fileprivate static let stride = 9
    fileprivate static let otherSlot = 8
    private var slots: [UInt32] = []
    /// The routes of a leaf that name a method, in order.
    private var takers: [Key: [Taker]] = [:]
    private var otherNumbers = ByteTable()
    private var otherNames: [UInt32: [UInt8]] = [:]
    /// The first route of a leaf that names an uncommon method, plus one. The leaf is the scope.
    private var firstOthers = ByteTable()
    /// The highest number of an uncommon method; common methods have those below.
    private var lastNumber: UInt32 = 8

    /// The methods in the form that `append` expects.
    mutating func methods(_ names: [String]) -> Methods {
        var methods = Methods()
        for name in names {
            let bit = name.withBytes(MethodBits.init(method:))
            if bit == .other { methods.others.insert(number(of: name)) } else { methods.usual.formUnion(bit) }
        }
        return methods
    }

    private mutating func number(of name: String) -> UInt32 {
        let bytes = Array(name.utf8)
        let hash = Self.hash(bytes, scope: 0)
        let known = otherNumbers.value(of: bytes, hash: hash, scope: 0)
        if known != 0 { return known }
        lastNumber += 1
        otherNumbers.insert(bytes, hash: hash, scope: 0, value: lastNumber)
        otherNames[lastNumber] = bytes
        return lastNumber
    }

    fileprivate static func hash(_ name: some Sequence<UInt8>, scope: UInt32) -> ByteHash {
        var hash = ByteHash(scope: scope)
        for byte in name { hash.add(byte) }
        return hash
    }

    /// Adds a route after those already added.
    mutating func append(_ route: UInt32, _ methods: Methods, leaf: UInt32) {
        let base = Int(leaf) * Self.stride
        if slots.count <= base { slots += Array(repeating: PathTrie.none, count: base + Self.stride - slots.count) }
        var touched = methods.usual.positions.map { 1 + $0 }
        if methods.isEmpty { touched.append(0) }
        if !methods.others.isEmpty { touched.append(Self.otherSlot) }
        for slot in touched { slots[base + slot] = min(slots[base + slot], route) }
        for number in methods.others where takers[Key(leaf: leaf, method: number)] == nil {
            let name = otherNames[number] ?? []
            firstOthers.insert(name, hash: Self.hash(name, scope: leaf), scope: leaf, value: route + 1)
        }
        for number in methods.numbers {
            takers[Key(leaf: leaf, method: number), default: []].append(Taker(route: route, methods: methods))
        }
    }

    /// The completed table.
    struct Frozen: Sendable {
        private let slots: FrozenArray<UInt32>
        private let firstOthers: ByteTable.Frozen
        private let takers: [Key: [Taker]]

        init(_ table: MethodTable) {
            slots = FrozenArray(table.slots)
            firstOthers = ByteTable.Frozen(table.firstOthers)
            takers = table.takers
        }

        /// Selects the routes that match the method of a request. Valid for the lifetime of the table and the method.
        func selection(for method: UnsafeRawBufferPointer) -> Selection {
            let bit = MethodBits(method: method)
            return Selection(
                slots: slots.elements, slot: bit == .other ? MethodTable.otherSlot : 1 + bit.rawValue.trailingZeroBitCount,
                method: method, firstOthers: firstOthers.view)
        }

        /// Selects the routes that match every one of several methods.
        func cover(of methods: Methods) -> Cover { Cover(slots: slots, takers: takers, methods: methods) }
    }

    /// Plain memory, so that a search updates no reference counts.
    struct Selection: LeafSelection {
        fileprivate let slots: UnsafeBufferPointer<UInt32>
        fileprivate let slot: Int
        fileprivate let method: UnsafeRawBufferPointer
        fileprivate let firstOthers: ByteTable.ViewPointer

        @inline(__always)
        func first(of leaf: UInt32, before limit: UInt32) -> UInt32 {
            let base = Int(leaf) * MethodTable.stride
            let forEvery = slots[base]
            let own = slots[base + slot]
            // The slot for other methods contains the first route for any of them.
            guard slot == MethodTable.otherSlot, own < min(forEvery, limit) else { return min(forEvery, own) }
            let hash = MethodTable.hash(method, scope: leaf)
            let found = firstOthers.pointee.value(of: method, hash: hash, scope: leaf, folding: false)
            return found == 0 ? forEvery : min(forEvery, found - 1)
        }
    }

    struct Cover: LeafSelection {
        fileprivate let slots: FrozenArray<UInt32>
        fileprivate let takers: [Key: [Taker]]
        fileprivate let methods: Methods
        /// The limit of routes with the same path and host that are compared.
        private static let mostTakers = 1_000

        func first(of leaf: UInt32, before limit: UInt32) -> UInt32 {
            let forEvery = slots.elements[Int(leaf) * MethodTable.stride]
            // A route with all of the methods is among the routes with the rarest one.
            let lists = methods.numbers.map { takers[Key(leaf: leaf, method: $0)] ?? [] }
            let rarest = lists.min { $0.count < $1.count } ?? []
            let taker = rarest.prefix(Self.mostTakers).first { $0.methods.isSuperset(of: methods) }
            return min(forEvery, taker?.route ?? PathTrie.none)
        }
    }
}

/// The common methods as bits; methods are case-sensitive (RFC 9110 section 9.1).
struct MethodBits: OptionSet, Sendable {
    let rawValue: UInt8
    static let other = MethodBits(rawValue: 1 << 7)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    @inline(__always)
    init(method: UnsafeRawBufferPointer) {
        // Compares the bytes as one number, last byte lowest, without a table or a loop over names.
        guard method.count >= 3, method.count <= 7, method[0] != 0 else {
            self = .other
            return
        }
        var word: UInt64 = 0
        for byte in method { word = word << 8 | UInt64(byte) }
        switch word {
        case 0x474554: self = MethodBits(rawValue: 1 << 0)  // GET
        case 0x48454144: self = MethodBits(rawValue: 1 << 1)  // HEAD
        case 0x504F5354: self = MethodBits(rawValue: 1 << 2)  // POST
        case 0x505554: self = MethodBits(rawValue: 1 << 3)  // PUT
        case 0x44454C455445: self = MethodBits(rawValue: 1 << 4)  // DELETE
        case 0x5041544348: self = MethodBits(rawValue: 1 << 5)  // PATCH
        case 0x4F5054494F4E53: self = MethodBits(rawValue: 1 << 6)  // OPTIONS
        default: self = .other
        }
    }

    /// The bit positions of common methods.
    fileprivate var positions: [Int] { (0..<7).filter { rawValue & (1 << UInt8($0)) != 0 } }
}
