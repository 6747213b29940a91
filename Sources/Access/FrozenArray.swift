/// An immutable array without reference counting. The buffer of an `Array` is one object whose count all threads would update.
final class FrozenArray<Element: BitwiseCopyable & Sendable>: Sendable {
    /// Immutable after initialisation, and freed with the object.
    nonisolated(unsafe) private let memory: UnsafeMutableBufferPointer<Element>

    init(_ elements: [Element]) {
        memory = .allocate(capacity: elements.count)
        _ = memory.initialize(from: elements)
    }

    deinit { memory.deallocate() }

    /// The address of the first element, which must exist. Valid for the lifetime of the object.
    @inline(__always)
    var first: UnsafePointer<Element> { UnsafePointer(memory.baseAddress.unsafelyUnwrapped) }

    /// Valid for the lifetime of the object.
    @inline(__always)
    var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(memory) }
}
