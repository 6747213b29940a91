import Access

/// The incomplete identity headers that were reported: each once per user and route, event loop and configuration.
struct ReportedOmissions {
    private struct Key: Hashable {
        var uid: String
        var omission: HeaderOmission
        /// nil: a header of every route.
        var route: Int?
    }

    private static let capacity = 4_096
    private var reported: Set<Key> = []

    /// True the first time. Another reason, or other groups, count as new.
    mutating func isNew(_ omission: HeaderOmission, uid: String, route: Int?) -> Bool {
        if reported.count >= Self.capacity { reported.removeAll(keepingCapacity: true) }
        return reported.insert(Key(uid: uid, omission: omission, route: route)).inserted
    }
}
