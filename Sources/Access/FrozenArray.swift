/// Elements that are written once and read without counting references: an array's buffer is one object, which every thread would count.
final class FrozenArray<Element: BitwiseCopyable & Sendable>: Sendable {
    /// Never written again, and freed with the object.
    nonisolated(unsafe) private let memory: UnsafeMutableBufferPointer<Element>

    init(_ elements: [Element]) {
        memory = .allocate(capacity: elements.count)
        _ = memory.initialize(from: elements)
    }

    deinit { memory.deallocate() }

    /// The address of the first element, of which there is one at least. Valid as long as the object lives.
    @inline(__always)
    var first: UnsafePointer<Element> { UnsafePointer(memory.baseAddress.unsafelyUnwrapped) }

    /// Valid as long as the object lives.
    @inline(__always)
    var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(memory) }
}
