/// What one event loop keeps of the callers that it has served under one configuration.
struct KnownCallers {
    var sessions = SessionCache()
    var tokens = BearerCache()
    var reportedOmissions = ReportedOmissions()
}
