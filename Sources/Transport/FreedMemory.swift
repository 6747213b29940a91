import CSockets

/// The memory that the process has freed and the allocator keeps.
package enum FreedMemory {
    /// Returns it to the system. Event loops that need memory meanwhile wait: a few milliseconds for each 100 MB.
    package static func release() { malloc_trim(0) }
}
