import Primitives
import Config
import Diagnostics
import Testing

@Suite struct RoutingConfigurationTests {
    @Test func `Every key of a route's way reaches its field`() throws {
        let reading = read(
            """
            version: 1
            server:
              proxyProtocol: required
              limits: { connectionsPerAddress: 9, bodyRate: 1KiB }
              timeouts: { rateWindow: 6s }
            requestHeaders: { set: { X-All: "1" } }
            responseHeaders: { remove: [Server] }
            webSockets: { origins: [https://a.example, "http://localhost:3000"] }
            csrf: origin
            cors: { origins: ["*"], credentials: false }
            routes:
              - path: /a/**
                stripPrefix: /a
                requestHeaders: { set: { X-A: "{{ uid }}", X-B: b }, remove: [X-C] }
                responseHeaders: { set: { X-D: d }, remove: [X-E] }
                timeouts: { idle: 1s, upstreamResponse: 2s }
                limits: { bodyBytes: 3MiB, bodyRate: 0B }
                upgrades: [websocket, SPDY/3.1]
                webSockets: { origins: [] }
                csrf: off
                cors: { origins: [https://spa.example], headers: [X-F], exposeHeaders: [X-G], credentials: false, maxAge: 1h }
              - { path: /b, rewrite: "/c", upgrades: [] }
              - { path: /d, respond: { status: 410, body: gone, contentType: text/html } }
              - { path: /e, redirect: { to: "https://e.example/", status: 308 } }

            """)
        #expect(findings(reading) == [])
        let configuration = reading.draft
        #expect(configuration.server.proxyProtocol == .required)
        #expect(configuration.server.limits.connectionsPerAddress == 9)
        #expect(configuration.server.limits.bodyRate == 1024)
        #expect(configuration.server.timeouts.rateWindow == 6000)
        let all = configuration.everywhere
        #expect(all.requestHeaders?.set.map(\.name) == ["X-All"])
        #expect(all.responseHeaders?.remove == ["Server"])
        #expect(all.webSocketOrigins?.map(\.text) == ["https://a.example", "http://localhost:3000"])
        #expect(all.csrf == .origin)
        #expect(all.cors?.origins == ["*"])
        #expect(all.cors?.credentials == false)

        try #require(configuration.routes.count == 4)
        let routing = configuration.routes[0].routing
        #expect(routing.stripPrefix == "/a")
        #expect(routing.own.requestHeaders?.set.map { "\($0.name)=\($0.value)" } == ["X-A={{ uid }}", "X-B=b"])
        #expect(routing.own.requestHeaders?.remove == ["X-C"])
        #expect(routing.own.responseHeaders?.set.map { "\($0.name)=\($0.value)" } == ["X-D=d"])
        #expect(routing.own.responseHeaders?.remove == ["X-E"])
        #expect(routing.idleTimeout == 1000 && routing.responseTimeout == 2000)
        #expect(routing.bodyBytes == 3 * 1024 * 1024 && routing.bodyRate == 0)
        #expect(routing.upgrades == ["websocket", "SPDY/3.1"])
        #expect(routing.own.webSocketOrigins?.isEmpty == true)
        #expect(routing.own.csrf == .off)
        #expect(routing.own.cors?.origins == ["https://spa.example"])
        #expect(routing.own.cors?.headers == ["X-F"] && routing.own.cors?.exposeHeaders == ["X-G"])
        #expect(routing.own.cors?.credentials == false && routing.own.cors?.maxAge == 3_600_000)
        #expect(!routing.needsNoUpstream)
        #expect(configuration.routes[1].routing.rewrite == "/c")
        #expect(configuration.routes[1].routing.upgrades == [])
        let respond = try #require(configuration.routes[2].routing.respond)
        #expect(respond.status == 410 && respond.body == "gone" && respond.contentType == "text/html")
        let redirect = try #require(configuration.routes[3].routing.redirect)
        #expect(redirect.to == "https://e.example/" && redirect.status == 308)
        #expect(configuration.routes[3].routing.needsNoUpstream)

        let merged = configuration.routes[0].routing.own.over(all)
        #expect(merged.csrf == .off && merged.webSocketOrigins?.isEmpty == true)
        #expect(configuration.routes[1].routing.own.over(all).csrf == .origin)
    }

    @Test(
        "What cannot be read is a finding, never a guess",
        arguments: [
            "routes: [{ path: /a, redirect: { to: /b, status: 304 } }]", "routes: [{ path: /a, respond: { status: 199 } }]",
            "routes: [{ path: /a, stripPrefix: a }]", "routes: [{ path: /a, stripPrefix: /a/ }]", "csrf: on",
            "cors: { origins: [\"null\"] }",
            "cors: { origins: [http://spa.example] }", "cors: { origins: [https://spa.example/] }",
            "webSockets: { origins: [\"*\"] }", "routes: [{ path: /a, upgrades: [\"a b\"] }]",
            "responseHeaders: { set: { X-A: \"a\\r\\nb\" } }", "responseHeaders: { set: { X-A: \" a\" } }",
            "server: { limits: { bodyRate: 64 } }", "server: { proxyProtocol: optional }",
        ])
    func refused(text: String) {
        #expect(findings(read("version: 1\n\(text)\n")).count == 1, "\(text)")
    }
}
