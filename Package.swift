// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target: Swift 6 mode, upcoming features that make imports and isolation explicit, and warnings
/// that stop the build.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// Debug builds of these targets are optimized, because the tests spend most of their time in these targets. Optimizing
/// the other targets would take minutes and save a few milliseconds of each program's start. Assertions stay enabled.
let optimizedTargets = [
  "Hashing", "JSONScan", "LibPQ", "SyncCore", "SyncEngine", "SyncHTTP", "SyncPostgres", "SyncTestKit",
  "UpstreamSimulator",
]
let optimized: [SwiftSetting] = [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

/// The modules that a source may import.
let source: [Target.Dependency] = [
  "EmbeddedSQL", "Hashing", "JSONScan", "LibPQ", "SyncCore", "SyncEngine", "SyncPostgres", "SyncProgram", "SyncWeb",
  argumentParser,
]
let sourceTests: [Target.Dependency] = ["SyncProgram", "SyncCore", "JSONScan", "SyncTestKit"]

let package = Package(
  name: "syncctl",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "syncctl", targets: ["syncctl"]),
    .executable(name: "upstream-sim", targets: ["upstream-sim"]),
  ],
  // Exact versions replace Package.resolved, because its commit ids differ between mirrors.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
  ],
  targets: [
    // These targets know nothing of this project.
    .systemLibrary(
      name: "CLibPQ", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(name: "LibPQ", dependencies: ["CLibPQ"]),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    // On macOS, Hashing uses CryptoKit.
    .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "Hashing", dependencies: [.target(name: "CCrypto", condition: .when(platforms: [.linux]))]),
    .target(name: "JSONScan", dependencies: ["Hashing"]),

    // These targets contain the vocabulary and the rules. They have no I/O and no clock of their own.
    .target(name: "SyncCore"),
    .target(name: "SyncEngine", dependencies: ["SyncCore", "Hashing"]),

    // These targets do I/O: HTTP, PostgreSQL and telemetry.
    .target(
      name: "SyncHTTP",
      dependencies: ["CZlib", "SyncCore", asyncHTTPClient, nioCore, nioHTTP1, nioPosix]),
    .target(
      name: "EmbeddedSQL", path: "sql",
      exclude: [
        "README.md", "citus.sql", "functions-and-views.version", "migrations", "reports", "roles.sql", "shared",
        "sources",
        "templates",
      ],
      plugins: ["EmbedFiles"]),
    .target(
      name: "SyncPostgres", dependencies: ["SyncCore", "LibPQ", "EmbeddedSQL", "Hashing", subprocess, systemPackage]),

    .target(
      name: "AcceptedConnections", dependencies: [hummingbirdCore, httpTypes, nioCore, nioHTTPTypes, logging]),
    .target(
      name: "SyncTelemetry",
      dependencies: [
        "AcceptedConnections", "SyncCore", hummingbird, hummingbirdCore, httpTypes, logging, nioCore,
        nioHTTPTypes, serviceLifecycle,
      ]),

    // SyncWeb serves pages. SyncProgram and the sources contribute them.
    .target(name: "EmbeddedWeb", path: "web", exclude: ["shared", "sources", "style.css"], plugins: ["EmbedFiles"]),
    .target(
      name: "SyncWeb",
      dependencies: [
        "EmbeddedWeb", "SyncCore", "SyncPostgres", "SyncTelemetry", httpTypes, hummingbird, hummingbirdCore, mustache,
        nioCore,
      ]),

    .target(
      name: "SyncProgram",
      dependencies: [
        "CMalloc", "EmbeddedSQL", "JSONScan", "LibPQ", "SyncCore", "SyncEngine", "SyncHTTP", "SyncPostgres",
        "SyncTelemetry", "SyncWeb", argumentParser, logging, serviceLifecycle, unixSignals, yams,
      ], exclude: ["Output/generate-width-table.py"]),

    // Each source has a target, which only the programs and the tests may import.
    .target(name: "JikanSource", dependencies: source),
    .target(name: "PokeAPISource", dependencies: source),
    .target(name: "ITunesSource", dependencies: source),
    .target(name: "RestSource", dependencies: source + [yams]),

    .executableTarget(
      name: "syncctl", dependencies: ["SyncProgram", "JikanSource", "PokeAPISource", "ITunesSource", "RestSource"]),
    .target(
      name: "UpstreamSimulator",
      dependencies: [
        "AcceptedConnections", "SyncCore", "SyncHTTP", hummingbird, hummingbirdCore, httpTypes, nioCore, nioHTTPTypes,
        logging, unixSignals,
      ], path: "Tools/UpstreamSimulator", exclude: ["ITunes/itunes.json", "PokeAPI/world.json"], plugins: ["EmbedFiles"]
    ),
    .executableTarget(
      name: "upstream-sim", dependencies: ["UpstreamSimulator", argumentParser, logging], path: "Tools/upstream-sim"),

    .executableTarget(name: "scan-bench", dependencies: ["JSONScan", "Hashing"], path: "Benchmarks/Scan"),

    .executableTarget(name: "embed-files", path: "Plugins/embed-files"),
    .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed-files"]),

    .target(
      name: "SyncTestKit",
      dependencies: ["SyncCore", "UpstreamSimulator", nioCore, nioPosix, subprocess, systemPackage],
      path: "Tests/Support/SyncTestKit"),
    // Only tests with a server depend on this target, because a change of SyncPostgres recompiles it.
    .target(
      name: "PostgresTestKit",
      dependencies: [
        "SyncTestKit", "SyncCore", "LibPQ", "EmbeddedSQL", "SyncEngine", "SyncPostgres", "UpstreamSimulator",
        subprocess, systemPackage,
      ], path: "Tests/Support/PostgresTestKit", exclude: ["NineMigrations"]),
    .testTarget(name: "RepositoryTests", dependencies: ["SyncTestKit"]),
    .testTarget(name: "HashingTests", dependencies: ["Hashing"]),
    .testTarget(name: "JSONScanTests", dependencies: ["JSONScan", "SyncTestKit"]),
    .testTarget(name: "LibPQTests", dependencies: ["LibPQ", "SyncTestKit", "PostgresTestKit"]),
    .testTarget(name: "SyncCoreTests", dependencies: ["SyncCore", "SyncTestKit"]),
    .testTarget(
      name: "SyncEngineTests", dependencies: ["SyncEngine", "SyncCore", "SyncTestKit"],
      exclude: ["Scheduling/reference.py", "Scheduling/reference.csv"]),
    .testTarget(
      name: "SyncTelemetryTests", dependencies: ["SyncTelemetry", "SyncCore", "SyncTestKit", logging, serviceLifecycle]),
    .testTarget(name: "SyncWebTests", dependencies: ["EmbeddedWeb", "SyncWeb", "SyncCore", "SyncTelemetry"]),
    // These tests need no source and no server.
    .testTarget(
      name: "SyncProgramTests",
      dependencies: ["SyncProgram", "SyncCore", "SyncPostgres", "SyncTestKit", argumentParser]),
    .testTarget(name: "SyncHTTPTests", dependencies: ["SyncHTTP", "SyncCore", "SyncTestKit"]),
    .testTarget(name: "JikanSourceTests", dependencies: ["JikanSource"] + sourceTests),
    .testTarget(name: "PokeAPISourceTests", dependencies: ["PokeAPISource", "PostgresTestKit"] + sourceTests),
    .testTarget(name: "ITunesSourceTests", dependencies: ["ITunesSource"] + sourceTests),
    .testTarget(
      name: "RestSourceTests",
      dependencies: ["RestSource", "SyncPostgres", "SyncEngine", "LibPQ", "PostgresTestKit", yams] + sourceTests),
    // These tests import no source, so that a change of SyncPostgres is tested without compiling the sources.
    .testTarget(
      name: "SyncPostgresTests",
      dependencies: [
        "SyncPostgres", "SyncCore", "SyncEngine", "LibPQ", "EmbeddedSQL", "Hashing", "SyncTestKit", "PostgresTestKit",
      ]),
    .testTarget(
      name: "SourceSQLTests",
      dependencies: [
        "SyncPostgres", "SyncCore", "LibPQ", "EmbeddedSQL", "SyncTestKit", "PostgresTestKit", "JikanSource",
        "PokeAPISource", "ITunesSource",
      ]),
    .testTarget(
      name: "UpstreamSimulatorTests",
      dependencies: [
        "UpstreamSimulator", "upstream-sim", "SyncHTTP", "SyncCore", "SyncTestKit", "PostgresTestKit", argumentParser,
        nioCore, nioPosix,
      ]),
    .testTarget(
      name: "syncctlTests",
      dependencies: [
        "syncctl", "upstream-sim", "LibPQ", "SyncCore", "SyncEngine", "SyncHTTP", "SyncPostgres",
        "SyncProgram", "JikanSource", "PokeAPISource", "ITunesSource", "RestSource", "SyncTestKit", "PostgresTestKit",
        "UpstreamSimulator", argumentParser,
      ]),
  ]
)

// `scripts/build tests TARGET` sets this variable, because a new declaration recompiles all importing targets.
if let chosen = Context.environment["SYNCCTL_TEST_TARGETS"]?.split(separator: " ") {
  package.targets.removeAll { $0.type == .test && !chosen.contains(Substring($0.name)) }
}

for target in package.targets where ![.system, .binary, .plugin].contains(target.type) {
  target.swiftSettings = settings + (optimizedTargets.contains(target.name) ? optimized : [])
}
