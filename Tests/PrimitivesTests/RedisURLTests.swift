import Primitives
import Testing

@Suite struct RedisURLTests {
    @Test(arguments: [
        ("redis://127.0.0.1", RedisURL.Topology.server(.init(host: "127.0.0.1", port: 6379)), 0, false),
        ("rediss://Redis.Example.com:7000/3", .server(.init(host: "redis.example.com", port: 7000)), 3, true),
        ("redis://[::1]:6380/", .server(.init(host: "::1", port: 6380)), 0, false),
        ("redis+unix:///run/redis/redis.sock", .socket(path: "/run/redis/redis.sock"), 0, false),
        ("redis+unix://:secret@/run/a%20b.sock?db=2", .socket(path: "/run/a b.sock"), 2, false),
        (
            "redis+sentinel://h1:26379,h2/mymaster/1",
            .sentinels([.init(host: "h1", port: 26379), .init(host: "h2", port: 26379)], master: "mymaster"), 1, false
        ),
        ("rediss+cluster://h1:1,h2:2", .cluster([.init(host: "h1", port: 1), .init(host: "h2", port: 2)]), 0, true),
    ])
    func `it is read`(text: String, topology: RedisURL.Topology, database: Int, isTLS: Bool) throws {
        let url = try RedisURL(text)
        #expect(url.topology == topology)
        #expect(url.database == database)
        #expect(url.isTLS == isTLS)
    }

    @Test(arguments: [
        ("http://host", RedisURL.Problem.scheme), ("redis", .scheme), ("redis://", .host), ("redis:// host", .characters),
        ("redis://host:0", .port), ("redis://host:70000", .port), ("redis://a b", .characters), ("redis://h1,h2", .severalHosts),
        ("redis://host/x", .database), ("redis://host/16", .database), ("redis://host/1/2", .database), ("redis://host?db=1", .query),
        ("redis://user@host", .credentials), ("redis://:@host", .credentials), ("redis://:%zz@host", .percentEscape),
        ("redis+sentinel://host", .masterName), ("redis+sentinel://host//0", .masterName), ("redis+cluster://host/1", .clusterDatabase),
        ("redis+unix://path", .socketPath), ("redis+unix:///", .socketPath), ("redis+unix:///a?x=1", .query),
    ])
    func `it is refused`(text: String, problem: RedisURL.Problem) {
        #expect(throws: problem) { try RedisURL(text) }
    }

    @Test(arguments: [
        ("redis://user:p%40ss@host", "user", "p@ss"), ("redis://:a/b?c@host/1", "", "a/b?c"), ("redis+unix://:x@/s", "", "x"),
    ])
    func `its password is read`(text: String, user: String, password: String) throws {
        let found = try RedisURL.credentials(of: text)
        #expect(found?.user == user && found?.password == password)
        #expect(try RedisURL(text).hasPassword)
    }
}
