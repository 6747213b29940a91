// swift-tools-version: 6.2
import PackageDescription

/// The language settings every target of ours is built with (docs/decisions/0001-language-settings.md).
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
    // Functions that return spans (docs/decisions/0036-memory-safety.md).
    .enableExperimentalFeature("Lifetimes"),
    // Small functions of one module are inlined into another (docs/decisions/0004-release-settings.md).
    .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

/// A library target of ours. `Package.swift` lists them in the order of the arrows: a target depends
/// only on targets above it.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHPACK = Target.Dependency.product(name: "NIOHPACK", package: "swift-nio-http2")
let nioLocks = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")

let package = Package(
    name: "gateway",
    products: [
        .executable(name: "gateway", targets: ["gateway"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0", traits: []),
    ],
    targets: [
        // System libraries.
        .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSockets"),
        // Without pkg-config, which would link libpq: docs/decisions/0039-postgresql-through-libpq.md.
        .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // Loaded when the first mail is sent, not linked; only the headers are needed.
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        // Loaded for the first session store, not linked; only the headers are needed.
        .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
        // Loaded for the first QR code, not linked; only the header is needed.
        .systemLibrary(name: "CQREncode", providers: [.apt(["libqrencode-dev"])]),

        // Decisions: pure, no sockets.
        module("Primitives"),
        module("Diagnostics", ["Primitives"]),
        module("Conditions", ["Primitives"]),
        module("YAML", ["CLibYAML", "Diagnostics"]),
        module("HTTPWire", ["Primitives", nioCore]),
        module("TokenCrypto", ["Primitives", "COpenSSL"]),
        module("Providers", ["Primitives"]),
        module("Config", ["Primitives", "YAML", "Providers", "Diagnostics"]),
        module("Accounts", ["Primitives", "TokenCrypto"]),
        module("SecondFactors", ["CQREncode", "Primitives", "TokenCrypto", "Accounts"]),
        module("Sessions", ["Primitives", "TokenCrypto", "Accounts"]),
        module("SignIn", ["Primitives", "Providers", "TokenCrypto", "Sessions", "Accounts"]),
        module("Access", ["Primitives", "Conditions", "HTTPWire", "Config", "Sessions", "Accounts", "TokenCrypto", nioCore]),

        module(
            "Decisions",
            ["Primitives", "Conditions", "HTTPWire", "Config", "Access", "Accounts", "Sessions", "SignIn", "TokenCrypto", nioCore]),
        module("ExtAuthz", ["Primitives", "HTTPWire", "Decisions", nioCore, protobuf], exclude: ["Generated/ext_authz.proto"]),

        // Input, output and composition.
        module("Pages", ["Primitives"]),
        module(
            "Lint",
            ["Primitives", "Conditions", "Config", "YAML", "Providers", "Access", "HTTPWire", "Diagnostics", "TokenCrypto", "Pages"]),
        module("Transport", ["CSockets", nioCore, nioPosix, nioLocks]),
        module("Exchanges", ["Primitives", "HTTPWire", "Transport", nioCore, nioSSL]),
        module(
            "Server",
            ["Primitives", "HTTPWire", "TokenCrypto", "Transport", "Exchanges", nioCore, nioLocks, nioSSL, nioTLS, nioHTTP2, nioHPACK]),
        module(
            "Proxy",
            [
                "Primitives", "HTTPWire", "Access", "Decisions", "Transport", "Exchanges", nioCore, nioPosix, nioSSL, nioTLS, nioHTTP2,
                nioHPACK,
            ]),
        module(
            "Backchannel",
            [
                "Primitives",
                "SignIn", "Providers", "TokenCrypto", "Sessions", "Accounts", "Transport", nioCore, nioPosix, nioHTTP1, nioSSL, httpClient,
                logging,
            ]
        ),
        module(
            "Stores",
            [
                "CCurl", "CHiredis", "CPostgres", "CSQLite", "Primitives", "Sessions", "Accounts", "TokenCrypto", "Transport", nioCore,
                nioPosix, nioSSL, nioLocks,
            ]),
        module("DevProvider", ["Primitives", "Pages", "TokenCrypto"]),
        module("Telemetry", ["Primitives", "HTTPWire", "Config", "Decisions", "Exchanges", nioCore, nioPosix, nioLocks, logging]),
        module(
            "Endpoints",
            [
                "Primitives", "HTTPWire", "TokenCrypto", "Providers", "Config", "Accounts", "SecondFactors", "Sessions", "SignIn", "Access",
                "Decisions",
                "Pages", "Exchanges", "Backchannel", "Telemetry", nioCore, logging,
            ]
        ),
        module("Process", ["Transport", "Exchanges", "Server", "Telemetry", nioCore, logging]),
        module(
            "Serving",
            [
                "Primitives", "HTTPWire", "TokenCrypto", "Providers", "Config", "Accounts", "Sessions", "SignIn", "Access", "Decisions",
                "Pages",
                "ExtAuthz", "Exchanges", "Server", "Proxy", "Backchannel", "Telemetry", "Endpoints", nioCore, logging,
            ]
        ),
        module(
            "Explain",
            [
                "HTTPWire", "TokenCrypto", "Providers", "Config", "Accounts", "Sessions", "SignIn", "Access", "Decisions", "Telemetry",
                "Endpoints", nioCore,
            ]
        ),
        module(
            "Runtime",
            [
                "Primitives", "HTTPWire", "TokenCrypto", "Providers", "Config", "Accounts", "SecondFactors", "Sessions", "SignIn", "Access",
                "Decisions",
                "Transport",
                "Exchanges", "Server", "Proxy", "Backchannel", "Stores", "Telemetry", "Process", "Endpoints", "Serving", nioCore, nioPosix,
                nioLocks, logging,
            ]
        ),
        module(
            "Demo",
            [
                "Primitives", "HTTPWire", "TokenCrypto", "Config", "Accounts", "SecondFactors", "Stores", "Transport", "Exchanges",
                "Server",
                "DevProvider", "Telemetry", "Process", "Endpoints", "Runtime", nioCore, logging,
            ]
        ),
        .executableTarget(
            name: "gateway",
            dependencies: [
                "Primitives", "Runtime", "Explain", "Demo", "Process", "Telemetry", "Config", "Lint", "Diagnostics", "Providers",
                "TokenCrypto", "Accounts", "SecondFactors", "Stores", "DevProvider",
                nioCore, nioPosix,
                arguments,
                logging, httpClient, nioHTTP1,
            ],
            swiftSettings: settings
        ),

        // What must hold for hostile bytes (docs/fuzzing.md).
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Primitives", "Conditions", "HTTPWire", "TokenCrypto", "Providers", "Config", "Accounts", "SecondFactors", "Sessions",
                "SignIn",
                "Access", "Decisions", "ExtAuthz", "Lint", "Diagnostics", "Pages", nioCore,
            ],
            path: "Fuzz/Targets", swiftSettings: settings),

        // Tests.
        .target(name: "TestTools", path: "Tests/Helpers/TestTools", swiftSettings: settings),
        tests("FuzzTests", ["FuzzTargets"]),
        tests("PrimitivesTests", ["TestTools", "Primitives"]),
        tests("DiagnosticsTests", ["Diagnostics"]),
        tests("ConditionsTests", ["Primitives", "Conditions"]),
        tests("YAMLTests", ["TestTools", "YAML", "Diagnostics"]),
        tests("ConfigTests", ["TestTools", "Primitives", "Config", "YAML", "Diagnostics", "Providers"]),
        tests("HTTPWireTests", ["TestTools", "Primitives", "HTTPWire", nioCore]),
        tests("TokenCryptoTests", ["TestTools", "Primitives", "TokenCrypto"]),
        tests("ProvidersTests", ["Primitives", "Providers", "Config"]),
        tests("AccountsTests", ["TestTools", "Accounts", "TokenCrypto"]),
        tests("SecondFactorsTests", ["TestTools", "Primitives", "SecondFactors", "Stores", "Accounts", "TokenCrypto"]),
        .target(
            name: "RecordedExchanges", dependencies: ["Primitives", "Exchanges", "HTTPWire", nioCore],
            path: "Tests/Helpers/RecordedExchanges",
            swiftSettings: settings),
        .target(name: "KeptSessions", dependencies: ["Sessions"], path: "Tests/Helpers/KeptSessions", swiftSettings: settings),
        .target(name: "ServerProcesses", path: "Tests/Helpers/ServerProcesses", swiftSettings: settings),
        tests(
            "SessionsTests",
            [
                "TestTools", "KeptSessions", "ServerProcesses", "Primitives", "Sessions", "Stores", "Accounts", "TokenCrypto", "Transport",
                nioCore, nioPosix,
            ]),
        tests("SignInTests", ["TestTools", "Primitives", "SignIn", "Providers", "Sessions", "Accounts", "TokenCrypto"]),
        tests(
            "AccessTests",
            ["TestTools", "Primitives", "Conditions", "Access", "HTTPWire", "Config", "Sessions", "Accounts", "TokenCrypto", nioCore]),
        tests(
            "DecisionsTests",
            ["Primitives", "Conditions", "Decisions", "Access", "HTTPWire", "Config", "Sessions", "Accounts", "TokenCrypto", nioCore]),
        .target(name: "MachineTables", path: "Tests/Helpers/MachineTables", swiftSettings: settings),
        .executableTarget(
            name: "AccountCrash", dependencies: ["Accounts", "Stores"], path: "Tests/Helpers/AccountCrash", swiftSettings: settings),
        tests(
            "StoresTests",
            [
                "TestTools", "Primitives", "AccountCrash", "CPostgres", "ServerProcesses", "Stores", "Sessions", "Accounts", "Config",
                "TokenCrypto", nioCore, nioPosix,
            ]),
        tests("PagesTests", ["Primitives", "Pages", "TokenCrypto"]),
        tests("LintTests", ["TestTools", "Lint", "Config", "Diagnostics", "YAML", "Providers", "TokenCrypto"]),
        tests("TransportTests", ["TestTools", "Transport", "CSockets", nioCore, nioLocks]),
        tests("ExchangesTests", ["Exchanges", "HTTPWire", "Transport", nioCore, nioEmbedded, nioSSL]),
        tests(
            "ServerTests",
            [
                "TestTools", "MachineTables", "Primitives", "Server", "Exchanges", "Transport", "HTTPWire", "TokenCrypto", nioCore,
                nioEmbedded, nioHTTP2, nioHPACK,
            ]),
        tests(
            "ProxyTests",
            [
                "TestTools", "MachineTables", "Primitives", "Proxy", "Decisions", "Exchanges", "HTTPWire", "Access", "Config", "Sessions",
                "Accounts", "TokenCrypto", "Transport", nioCore, nioEmbedded, nioSSL, nioHPACK,
            ]
        ),
        tests(
            "BackchannelTests",
            [
                "TestTools", "ServerProcesses", "Primitives", "Backchannel", "SignIn", "Config", "Diagnostics", "Providers", "Sessions",
                "Accounts",
                "TokenCrypto", nioCore, nioPosix, nioHTTP1, nioSSL, logging,
            ]
        ),
        tests(
            "TelemetryTests",
            ["TestTools", "Primitives", "Telemetry", "Decisions", "HTTPWire", "TokenCrypto", nioCore, nioLocks, logging]),
        tests(
            "EndpointsTests",
            [
                "KeptSessions", "RecordedExchanges", "Primitives", "Endpoints", "Exchanges", "HTTPWire", "Config", "Access", "Decisions",
                "Sessions", "SignIn", "Accounts", "SecondFactors",
                "Pages",
                "Providers",
                "Telemetry", "TokenCrypto", nioCore, nioPosix, logging,
            ]
        ),
        tests("ProcessTests", ["Process", nioCore]),
        tests(
            "ServingTests",
            [
                "KeptSessions", "RecordedExchanges", "Serving", "Endpoints", "Exchanges", "HTTPWire", "Config", "Access", "Decisions",
                "Sessions", "SignIn", "Accounts", "Telemetry", "TokenCrypto", nioCore, nioPosix, logging,
            ]),
        tests(
            "RuntimeTests",
            [
                "TestTools", "KeptSessions", "Runtime", "Endpoints", "Process", "Telemetry", "Stores", "Config", "Access", "Sessions",
                "Accounts", "Pages", "TokenCrypto", "Providers", "FuzzTargets", logging,
            ]
        ),
        tests("ExtAuthzTests", ["ExtAuthz", "Decisions", "HTTPWire", "Primitives", nioCore, protobuf]),
        tests("DevProviderTests", ["TestTools", "Primitives", "DevProvider", "Pages", "TokenCrypto"]),
    ]
)

// `scripts/fuzz` builds the fuzzer in a folder of its own: it needs libFuzzer, which nothing else is linked with.
if Context.environment["GATEWAY_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(name: "fuzz", dependencies: ["FuzzTargets"], path: "Fuzz/Driver", swiftSettings: settings))
}
