import CSockets

/// What the allocator keeps of the memory that the process has freed.
package enum FreedMemory {
    /// Returns it to the system. Event loops that need memory meanwhile wait: a few milliseconds for each 100 MB.
    package static func release() { malloc_trim(0) }
}
