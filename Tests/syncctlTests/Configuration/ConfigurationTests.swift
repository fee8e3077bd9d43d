import ArgumentParser
import Foundation
import LibPQ
import SyncCore
import SyncEngine
import SyncPostgres
import SyncTestKit
import Testing

@testable import ITunesSource
@testable import JikanSource
@testable import PokeAPISource
@testable import SyncProgram

@Suite(.boundSources)
struct ConfigurationTests {
  @Test func tenraiAtItsPublishedLimitsIsTheDefault() throws {
    let jikan = try load([:]).jikan
    #expect(jikan.provider.value == .tenrai)
    #expect(jikan.baseURL.value == "https://api.tenrai.org/v1")
    #expect(jikan.rateLimits.value == JikanProvider.tenrai.publishedLimits)
    #expect(jikan.rateLimits.origin == .standard)
  }

  @Test func theEnvironmentBeatsTheFile() throws {
    let yaml = "database: { url: 'postgresql:///file' }\nsources: { jikan: { base_url: 'http://a.example/v1' } }"
    let fromFile = try load([:], yaml: yaml)
    #expect(fromFile.database.value == .url("postgresql:///file"))
    #expect(try fromFile.jikan.baseURL.value == "http://a.example/v1")
    let fromEnvironment = try load(
      ["SYNCCTL_DATABASE_URL": "postgresql:///env", "SYNCCTL_JIKAN_BASE_URL": "http://b.example/v1/"], yaml: yaml)
    #expect(fromEnvironment.database.value == .url("postgresql:///env"))
    #expect(try fromEnvironment.jikan.baseURL.value == "http://b.example/v1")
    #expect(try fromEnvironment.jikan.baseURL.origin == .environment("SYNCCTL_JIKAN_BASE_URL"))
  }

  @Test func syncctlsOwnVariableAndTheFileComeBeforeWhatOtherProgramsRead() throws {
    var environment = ["SYNCCTL_DATABASE_URL": "postgresql:///a", "DATABASE_URL": "postgresql:///b", "PGHOST": "c"]
    let yaml = "database: { url: 'postgresql:///d' }"
    let own = try load(environment, yaml: yaml).database
    #expect(own.value == .url("postgresql:///a") && own.sharedVariable == nil)
    environment["SYNCCTL_DATABASE_URL"] = ""
    let file = try load(environment, yaml: yaml).database
    #expect(file.value == .url("postgresql:///d") && file.sharedVariable == nil)
    let shared = try load(environment).database
    #expect(shared.value == .url("postgresql:///b") && shared.sharedVariable == "DATABASE_URL")
    environment["DATABASE_URL"] = nil
    let libpq = try load(environment).database
    #expect(libpq.value == .libpq && libpq.sharedVariable == "PGHOST")
    #expect(try load(["SYNCCTL_DATA_DIR": "/x"]).database.sharedVariable == nil)
  }

  @Test(
    arguments: [
      ("JIKAN_RATE_LIMITS", ["0/1s", "3/0s", "3", "3/1w", "-3/1s", "٣/1s", "3/1s,", "1e9/1s", "99999999/1s"], ""),
      ("LEASE_TTL", ["0s", "1s", "2h", "90", "s", "-5s", "1e2s", "٩s", "99999999s"], "2s to 1h"),
      ("HISTORY_POSITIONS", ["0", "-1", "1000001", "all"], ""),
      ("HISTORY_RETENTION", ["0d", "23h", "9999999d", "730"], ""),
    ])
  func valuesOutOfRangeAreRefused(setting: String, values: [String], hint: String) {
    for value in values {
      let error = fault(["SYNCCTL_\(setting)": value])
      #expect(error?.code == .configuration && error?.message.contains("SYNCCTL_\(setting)") == true, "\(value)")
      #expect(hint.isEmpty || error?.hint?.contains(hint) == true, "\(value)")
    }
  }

  @Test func limitsAddToThePublishedOnesAndMayNotExceedThem() throws {
    let published = JikanProvider.tenrai.publishedLimits
    let lower = try load(["SYNCCTL_JIKAN_RATE_LIMITS": "1/1s"]).jikan.rateLimits.value
    #expect(lower == [RateWindow(requests: 1, interval: .seconds(1))] + published)
    for (limits, words) in [("61/60s", ["61/60s", "60/60s"]), ("none", ["can have no limit"])] {
      let error = try #require(fault(["SYNCCTL_JIKAN_RATE_LIMITS": limits]))
      #expect(error.code == .configuration)
      for word in words + ["SYNCCTL_JIKAN_RATE_LIMITS"] { #expect("\(error)".contains(word), "\(error)") }
    }
    let raised = try load(
      ["SYNCCTL_JIKAN_RATE_LIMITS": "61/60s"], yaml: "sources: { jikan: { allow_above_published: true } }")
    #expect(try raised.jikan.rateLimits.value == [RateWindow(requests: 61, interval: .seconds(60))])
  }

  @Test func leasesAndResumingHaveTheirTimes() throws {
    let standard = try load([:]).runs
    #expect(standard.leaseTTL.value == .seconds(90) && standard.resumeWithin.value == .seconds(6 * 3600))
    let yaml = "runs: { lease_ttl: 5m, resume_within: 2d }"
    let fromFile = try load([:], yaml: yaml).runs
    #expect(fromFile.leaseTTL.value == .seconds(300) && fromFile.resumeWithin.value == .seconds(2 * 86_400))
    let fromEnvironment = try load(["SYNCCTL_LEASE_TTL": "2s", "SYNCCTL_RESUME_WITHIN": "1s"], yaml: yaml).runs
    #expect(fromEnvironment.leaseTTL.value == .seconds(2) && fromEnvironment.resumeWithin.value == .seconds(1))
    #expect(fromEnvironment.leaseTTL.origin == .environment("SYNCCTL_LEASE_TTL"))
  }

  @Test func runsHaveATimeoutThatJobsTakeOver() throws {
    #expect(try load([:]).runs.timeout.value == .seconds(86_400))
    let yaml = """
      runs: { timeout: 3h }
      jobs:
        - { name: own, source: jikan, schedule: "@daily", timeout: 10m }
        - { name: other, source: jikan, schedule: "@daily" }
      """
    let fromFile = try load([:], yaml: yaml)
    #expect(fromFile.runs.timeout.value == .seconds(3 * 3600))
    #expect(fromFile.jobs.map(\.scheduled.timeout) == [.seconds(600), .seconds(3 * 3600)])
    let fromEnvironment = try load(["SYNCCTL_RUN_TIMEOUT": "7d"], yaml: yaml)
    #expect(fromEnvironment.runs.timeout.value == .seconds(7 * 86_400))
    #expect(fromEnvironment.jobs.last?.scheduled.timeout == .seconds(7 * 86_400))
    #expect(fromEnvironment.runs.timeout.origin == .environment("SYNCCTL_RUN_TIMEOUT"))
    let shown = fromEnvironment.shown.first { $0.name == "runs.timeout" }
    #expect(shown?.value == "7d" && shown?.origin == .environment("SYNCCTL_RUN_TIMEOUT"))
    for text in ["0s", "8d", "24", "forever"] {
      let error = fault(["SYNCCTL_RUN_TIMEOUT": text])
      #expect(error?.code == .configuration && error?.hint?.contains("1s to 7d") == true)
    }
    #expect(fault([:], yaml: "runs: { timout: 1h }")?.hint == "did you mean timeout?")
  }

  @Test(arguments: [
    ("jobs:\n  - name: a\n    schedule: @daily\n", "schedule: '@daily'"),
    ("jobs: [{ name: a, schedule: @hourly, source: jikan }]", "schedule: '@hourly'"),
    ("jobs: [{ \"name\": a, \"schedule\": @weekly }]\r\n", "schedule: '@weekly'"),
    ("jobs:\r\n  - { name: a, schedule: */20 8-18 * * mon,fri, jitter: 5m }\r\n", "'*/20 8-18 * * mon,fri'"),
    ("jobs:\n  - name: a\n    schedule: * * * * * # each minute\n", "schedule: '* * * * *'"),
  ])
  func schedulesThatNeedQuotesAreShownWithThem(yaml: String, expected: String) {
    let error = fault([:], yaml: yaml)
    #expect(error?.code == .configuration && error?.message.contains("not valid YAML") == true)
    #expect(error?.hint?.hasPrefix("quote it: ") == true && error?.hint?.contains(expected) == true, "\(error as Any)")
  }

  @Test func aKeyThatAppearsTwiceIsNamed() {
    let pasted = fault([:], yaml: "sources:\n  itunes: {}\njobs: []\nsources:\n  jikan: {}\n")
    #expect(pasted?.code == .configuration, "\(pasted as Any)")
    #expect(pasted?.message.contains("line 1: the key sources appears twice") == true, "\(pasted as Any)")
    #expect(pasted?.hint?.hasPrefix("write it once") == true, "\(pasted as Any)")
    let nested = fault([:], yaml: "runs:\n  timeout: 1h\n  timeout: 2h\n")
    #expect(nested?.message.contains("line 2: the key timeout appears twice") == true, "\(nested as Any)")
  }

  @Test func whatElseIsNoYAMLIsNotQuoted() {
    for yaml in ["sources: { jikan: { provider: @x } }", "# schedule: @daily\nruns: @x", "schedule: '@daily\n"] {
      #expect(fault([:], yaml: yaml)?.hint?.contains("quote it") == false, "\(yaml)")
    }
  }

  @Test func schedulesOfCronHaveTheirTimeZoneBesideThem() {
    let error = fault([:], yaml: "jobs: [{ name: a, schedule: 'CRON_TZ=Europe/Paris 0 3 * * *' }]")
    #expect(error?.code == .configuration && error?.message.contains("jobs[0].schedule") == true)
    #expect(error?.hint?.contains("time_zone: Europe/Paris") == true)
  }

  @Test func aJobVerifiesTheMirrorAlone() {
    for mode in ["upstream", "sample", "5%"] {
      let error = fault([:], yaml: "jobs: [{ name: a, schedule: '@daily', verify: \(mode) }]")
      #expect(error?.code == .configuration && error?.message.contains("jobs[0]: has verify: \(mode)") == true)
      #expect(error?.hint?.contains("run --full --dry-run") == true)
    }
  }

  @Test func aJobHasTheSourceThatAllItsStreamsAreOf() throws {
    let yaml = """
      jobs:
        - { name: one, streams: [pokemon, move], schedule: "@daily" }
        - { name: spelled, source: all, streams: [pokemon], schedule: "@daily" }
        - { name: named, source: jikan, schedule: "@daily" }
        - { name: several, streams: [pokemon, top-anime], schedule: "@daily" }
        - { name: default, schedule: "@daily" }
      """
    let sources = try load([:], yaml: yaml).jobs.map(\.scheduled.description.source)
    #expect(sources == ["pokeapi", "pokeapi", "jikan", "all", "all"])
  }

  @Test(arguments: [
    ("jikan", "base_url: ['http://a.example/v1', b]"), ("jikan", "provider: [tenrai]"), ("pokeapi", "ttl: [20h]"),
    ("pokeapi", "concurrency: [4]"), ("jikan", "rate_limits: { 3: 1s }"), ("jikan", "rate_limits: []"),
    ("jikan", "rate_limits: [[1/1s]]"),
  ])
  func onlyRateLimitsMayBeAList(source: String, entry: String) throws {
    let error = fault([:], yaml: "sources: { \(source): { \(entry) } }")
    let key = try #require(entry.split(separator: ":").first)
    #expect(error?.code == .configuration)
    #expect(
      error?.message.contains("sources.\(source).\(key) must be a string") == true, "\(String(describing: error))")
  }

  @Test func rateLimitsMayBeAList() throws {
    let configuration = try load([:], yaml: "sources: { pokeapi: { rate_limits: [1/1s, 30/60s] } }")
    #expect(try configuration.source(PokeAPISource.self).rateLimits.value.map(\.description) == ["1/1s", "30/60s"])
  }

  @Test func variablesAreNamedAsAShellCanExportThem() {
    #expect(SourceSettings.variable(of: "my-books", "base_url") == "SYNCCTL_MY_BOOKS_BASE_URL")
  }

  @Test(arguments: [
    ("https://api.tenrai.org/v1", "https://api.tenrai.org"), ("HTTP://Localhost:8080/v4", "http://localhost:8080"),
    ("http://[::1]:8080/v4", "http://[::1]:8080"), ("https://a:443/v1", "https://a"), ("HTTPS://A:443", "https://a"),
    ("http://a:80", "http://a"), ("https://a:80", "https://a:80"), ("http://a:443", "http://a:443"),
    ("https://a:8443", "https://a:8443"), ("http://[::1]:80", "http://[::1]"),
  ])
  func budgetsArePerServer(baseURL: String, server: String) { #expect(Origin.server(of: baseURL) == server) }

  @Test(arguments: [
    ("http://localhost:8080/v4", true), ("http://127.0.0.1:1/v4", true), ("http://[::1]:8080/v4", true),
    ("http://127.0.0.1.example.org/v1", false), ("http://localhost.example.org/v1", false),
    ("http://10.0.0.1/v1", false), ("https://127.example/v1", false),
  ])
  func loopbackAloneHasNoLimitUnlessOneIsGiven(url: String, isLoopback: Bool) throws {
    #expect(try load(["SYNCCTL_JIKAN_BASE_URL": url]).jikan.rateLimits.value.isEmpty == isLoopback)
    guard isLoopback else { return }
    let given = try load(["SYNCCTL_JIKAN_BASE_URL": url, "SYNCCTL_JIKAN_RATE_LIMITS": "100/1s"])
    #expect(try given.jikan.rateLimits.value == [RateWindow(requests: 100, interval: .seconds(1))])
  }

  @Test(arguments: [
    "ftp://a/v1", "api.tenrai.org/v1", "http:///v1", "http://u:secret@a/v1", "htps://u:secret@a", "http://a/v1?x=1",
  ])
  func whatIsNoBaseURLIsRefused(url: String) {
    let error = fault([:], yaml: "sources: { jikan: { base_url: '\(url)' } }")
    #expect(error?.code == .configuration)
    #expect(error.map { !"\($0)".contains("secret") } == true)
  }

  @Test func unknownKeysAreErrorsWithASuggestion() {
    let error = fault([:], yaml: "sources: { jikan: { rate_limit: ['3/1s'] } }")
    #expect(error?.message.contains("sources.jikan.rate_limit") == true)
    #expect(error?.hint == "did you mean rate_limits?")
    #expect(fault([:], yaml: "tasks: []")?.code == .configuration)
    #expect(fault([:], yaml: "database: [1]")?.code == .configuration)
    #expect(fault([:], yaml: "a: b: c")?.code == .configuration)
  }

  @Test func theProviderJikanNeedsABaseURL() {
    #expect(fault(["SYNCCTL_JIKAN_PROVIDER": "jikan"])?.hint?.contains("SYNCCTL_JIKAN_BASE_URL") == true)
    #expect(fault(["SYNCCTL_JIKAN_PROVIDER": "nope"])?.hint?.contains("tenrai") == true)
  }

  @Test func distantDatabasesAreVerifiedUnlessSomebodySaysOtherwise() throws {
    let apply = { (url: String, environment: [String: String]) in
      TLSPolicy.apply(to: try ConnectionSettings.parse(url: url), environment: environment)["sslmode"]
    }
    #expect(try apply("postgresql://db.example.org/x", [:]) == "verify-full")
    #expect(try apply("postgresql://127.0.0.1,db.example.org/x", [:]) == "verify-full")
    #expect(try apply("postgresql://db.example.org/x?sslmode=disable", [:]) == "disable")
    #expect(try apply("postgresql://db.example.org/x", ["PGSSLMODE": "require"]) == nil)
    #expect(try apply("postgresql:///x", ["PGHOST": "db.example.org"]) == "verify-full")
    #expect(try apply("postgresql:///x", ["PGHOSTADDR": "203.0.113.5"]) == "verify-full")
    #expect(try apply("postgresql://localhost/x?hostaddr=203.0.113.5", [:]) == "verify-full")
    for local in ["postgresql:///x", "postgresql://localhost/x", "postgresql://[::1]/x", "postgresql://%2Ftmp/x"] {
      #expect(try apply(local, [:]) == nil)
    }
  }

  @Test func aThousandPositionsForEverIsTheDefault() throws {
    let history = try load([:]).history
    #expect(history.positions.value == 1000 && history.retention.value == nil)
    #expect(history.publishing == ["1000"] && history.keeping == nil)
  }

  @Test func theHistorysEnvironmentBeatsTheFile() throws {
    let yaml = "history: { positions: 50, retention: 730d }"
    let fromFile = try load([:], yaml: yaml)
    #expect(fromFile.history.publishing == ["50"] && fromFile.history.keeping?.days == 730)
    let shown = Dictionary(fromFile.shown.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    #expect(shown["history.positions"] == "50" && shown["history.retention"] == "730d")
    let environment = ["SYNCCTL_HISTORY_POSITIONS": "7", "SYNCCTL_HISTORY_RETENTION": "forever"]
    let fromEnvironment = try load(environment, yaml: yaml).history
    #expect(fromEnvironment.publishing == ["7"] && fromEnvironment.keeping == HistoryRetention(days: nil))
    #expect(fromEnvironment.retention.origin == .environment("SYNCCTL_HISTORY_RETENTION"))
    #expect(try load(["SYNCCTL_HISTORY_RETENTION": "25h"]).history.keeping?.days == 2)
  }

  @Test func oldRowsAreKeptAsConfigured() throws {
    #expect(try load([:]).retention.configured.isEmpty)
    let yaml = "retention: { runs: 30d, lookups: 1d, results: forever }"
    let configuration = try load(["SYNCCTL_RETENTION_RUNS": "90d"], yaml: yaml)
    #expect(configuration.retention.configured.map { $0.0 } == [.runs, .lookups, .results])
    #expect(configuration.retention.configured.map(\.days) == [90, 1, nil])
    let shown = Dictionary(configuration.shown.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    #expect(shown["retention.runs"] == "90d" && shown["retention.quarantine"] == "400d")
    #expect(shown["retention.searches"] == "90d" && shown["retention.results"] == "forever")
    for wrong in ["retention: { runs: 5 }", "retention: { runs: 23h }", "retention: { run: 30d }"] {
      #expect(fault([:], yaml: wrong)?.code == .configuration)
    }
  }

  @Test func aMisspeltKeyOfTheHistoryIsNamed() {
    #expect(fault([:], yaml: "history: { position: 5 }")?.hint == "did you mean positions?")
  }
}

@Suite(.boundSources) struct RunChoiceTests {
  private static func choice(_ source: String?, _ names: [String]) throws -> StreamChoice {
    try StreamChoice(sources: source.map { [$0] } ?? [], names: names, among: try load([:]).sources)
  }

  private static func names(_ source: String?, _ names: [String]) throws -> [String] {
    try choice(source, names).streams(among: try load([:]).sources).map(\.name)
  }

  @Test func streamsAreFoundByNameAndOnce() throws {
    let all = try Self.choice("all", [])
    #expect(all.selections == ["jikan": .all, "pokeapi": .all, "itunes": .all])
    #expect(try Self.choice(nil, []) == all)
    #expect(try Self.choice("jikan", []).selections == ["jikan": .all])
    #expect(try Self.names("jikan", []) == JikanList.defaults.map(\.name))
    #expect(try Self.names("jikan", ["top-anime:tv", "top-manga", "top-anime:tv"]) == ["top-anime:tv", "top-manga"])
    let families = try Self.names(
      "all", ["seasons:now", "seasons", "genres:anime:themes", "genres", "manga-catalog", "schedules:friday"])
    #expect(families.prefix(3) == ["seasons:now", "seasons:upcoming", "genres:anime:themes"])
    #expect(families.suffix(2) == ["manga-catalog", "schedules:friday"])
    #expect(families.count == 12)
    #expect(Set(families).count == 12)
    let ranges = try Self.names(nil, ["seasons:2020:summer", "seasons:2019..2020", "seasons:2020", "top-anime:*"])
    #expect(ranges.prefix(3) == ["seasons:2020:summer", "seasons:2019:winter", "seasons:2019:spring"])
    #expect(ranges.count == 8 + 14 && Set(ranges).count == ranges.count)
  }

  @Test func streamsWithoutASourceAreLookedUpInAll() throws {
    let chosen = try Self.choice(nil, ["pokemon", "top-anime", "chart:us-songs"])
    #expect(
      chosen.selections == [
        "jikan": .named(["top-anime"]), "pokeapi": .named(["pokemon"]), "itunes": .named(["chart:us-songs"]),
      ])
    let error = #expect(throws: SyncError.self) { try Self.choice(nil, ["nosuch-stream"]) }
    #expect(error?.code == .usage)
  }

  @Test func severalSourcesCanBeNamed() throws {
    let sources = try load([:]).sources
    func chosen(_ given: [String], _ names: [String] = []) throws -> [SourceID: StreamSelection] {
      try StreamChoice(sources: given, names: names, among: sources).selections
    }
    #expect(try chosen(["jikan", "itunes"]) == ["jikan": .all, "itunes": .all])
    #expect(try chosen(["jikan", "all"]) == chosen([]))
    #expect(
      try chosen(["pokeapi", "jikan"], ["top-anime", "pokemon"])
        == ["jikan": .named(["top-anime"]), "pokeapi": .named(["pokemon"])])
    let error = #expect(throws: SyncError.self) { try chosen(["jikan", "pokeapi"], ["top-anime"]) }
    #expect(error?.code == .usage && error?.message == "no stream of pokeapi is named")
  }

  @Test func aFilterKnowsFamiliesAndTheNearestName() throws {
    let folder = try TemporaryFolder()
    let configuration = try Configuration.load(configFlag: try folder.write("", to: "syncctl.yaml"), environment: [:])
    let words = ["--source", "jikan", "--source", "itunes", "--stream", "top-anime:*", "--stream", "top-anmie"]
    let status = try #require(try Syncctl.parseAsRoot(["status"] + words) as? StatusCommand)
    let filter = try status.choice.filter(configuration)
    #expect(filter.sources == ["jikan", "itunes"] && filter.names.contains("top-anime:tv"))
    #expect(filter.includes(StreamName(source: "jikan", name: "top-anime")))
    #expect(!filter.includes(StreamName(source: "jikan", name: "top-manga")))
    #expect(filter.neverRun("top-anime").code == .missing)
    let error = filter.neverRun("top-anmie")
    #expect(error.code == .usage && error.hint == "did you mean top-anime?")
  }

  @Test func streamsOfPokeAPIAreKnownOnlyWhenItHasBeenAsked() throws {
    #expect(try Self.choice("pokeapi", []).selections == ["pokeapi": .all])
    let named = try Self.choice("pokeapi", ["berry-dish", "type", "type"])
    #expect(named.selections == ["pokeapi": .named(["berry-dish", "type"])])
    for name in ["../meta", "Pokemon", "", "a b"] {
      let error = #expect(throws: SyncError.self) { try Self.choice("pokeapi", [name]) }
      #expect(error?.code == .usage)
    }
  }

  @Test func streamsOfITunesAreThoseOfTheConfiguration() throws {
    let yaml = """
      sources:
        itunes:
          searches: [ { name: jay, term: "周杰倫", country: TW, media: music, entity: song } ]
          lookups: [ { name: u2, ids: [909253, 42], entity: album }, { name: apps, bundle_ids: [com.example.app] } ]
      """
    let sources = try load([:], yaml: yaml).sources
    let all = try StreamChoice(sources: ["itunes"], names: [], among: sources).streams(among: sources)
    #expect(all.map(\.name) == ["search:jay", "lookup:u2", "lookup:apps"])
    let one = try StreamChoice(sources: ["itunes"], names: ["lookup:u2"], among: sources).streams(among: sources)
    #expect(one.map(\.name) == ["lookup:u2"])
    let error = #expect(throws: SyncError.self) {
      try StreamChoice(sources: ["itunes"], names: ["lookup:u3"], among: sources)
    }
    #expect(error?.code == .usage && error?.hint?.contains("lookup:u2?") == true)
    let standard = try load([:]).itunes
    #expect(standard.streams.count == 4 && standard.streams.allSatisfy(\.isChart))
    #expect(standard.rateLimits.value.map(\.description) == ["20/60s"])
  }

  @Test(arguments: [
    ("searches: [ { name: a, term: b, media: musik } ]", "musik"), ("searches: [ { name: a } ]", "a name and a term"),
    ("searches: [ { name: a, term: b }, { name: a, term: c } ]", "an earlier entry"),
    ("lookups: [ { name: a, ids: [1], upcs: ['12345678'] } ]", "one of ids"),
    ("lookups: [ { name: a, ids: [x] } ]", "x"),
    ("charts: [ { name: a, country: usa } ]", "usa"), ("charts: [ { name: a, limit: 101 } ]", "101"),
    ("charts: [ { name: a }, { name: b, limit: 10 } ]", "twice"), ("serches: []", "did you mean searches?"),
    ("rate_limits: ['30/60s']", "20/60s"),
  ])
  func whatIsWrongWithITunesIsNamed(entry: String, expected: String) throws {
    let error = try #require(fault([:], yaml: "sources: { itunes: { \(entry) } }"))
    #expect(error.code == .configuration && "\(error)".contains(expected))
  }

  @Test func aConfirmationIsAboutOneNamedStream() throws {
    func check(_ names: [String], source: String = "jikan", isFull: Bool = false, run: String? = "5f0c") throws {
      try Self.choice(source, names).checkConfirmation(of: run, isFull: isFull)
    }
    try check(["manga-catalog"])
    try check(["top-anime", "top-anime"])
    try check(["move"], source: "pokeapi")
    try check([], isFull: true, run: nil)
    for (names, source) in [
      ([], "jikan"), (["genres"], "jikan"), (["anime-catalog", "manga-catalog"], "jikan"), ([], "pokeapi"),
      (["move", "type"], "pokeapi"), ([], "all"),
    ] {
      let error = #expect(throws: SyncError.self) { try check(names, source: source) }
      #expect(error?.code == .usage)
      #expect(error?.hint?.isEmpty == false)
    }
    let error = #expect(throws: SyncError.self) { try check(["manga-catalog"], isFull: true) }
    #expect(error?.code == .usage)
  }

  @Test(arguments: [
    ("jikann", [], "jikan?"), ("jikan", ["top-anmie"], "top-anime?"), ("jikan", ["top-anime:tvv"], "tv?"),
    ("jikan", ["anime-catalogue"], "anime-catalog?"), ("jikan", ["season"], "seasons?"),
    ("jikan", ["seasons:2019:sumer"], "seasons:2019:summer?"), ("jikan", ["schedules:firday"], "schedules:friday?"),
    ("jikan", ["genres:manga:theme"], "genres:manga:themes?"), ("pokapi", [], "pokeapi?"),
    ("all", ["top-anmie"], "top-anime?"), ("all", ["pokemn"], "pokemon?"),
    ("jikan", ["x"], "manga-catalog, seasons, schedules"), ("jikan", ["seasons:2021..2019"], "seasons:2019..2021"),
    ("all", ["seasons:2021..2019"], "seasons:2019..2021"), ("all", ["top-anime:*:tv"], "top-anime:*"),
  ])
  func slipsAreAnsweredWithTheNearestName(source: String, names: [String], expected: String) {
    let error = #expect(throws: SyncError.self) { try Self.choice(source, names) }
    #expect(error?.code == .usage)
    #expect(error?.hint?.contains(expected) == true)
  }

  private func exitStatus(_ reports: [RunReport], refusals: [SyncError] = []) -> Int32 {
    RunSummary.exitStatus(RunResults(reports: reports, refusals: refusals.map { (nil, $0) }))
  }

  private func report(_ status: RunStatus, _ error: SyncError? = nil, holes: [Int] = []) -> RunReport {
    RunReport(
      id: "x", stream: StreamID(source: .jikan, name: "s"), status: status, counters: RunCounters(), walBytes: 0,
      duration: .zero,
      certificate: Certificate(
        complete: status == .complete, endedBy: .notFound, claimedTotal: nil, distinctKeys: 0, repeats: 0, drift: 0,
        rewalked: 0, holes: holes, unreadable: 0), error: error)
  }

  @Test func theExitStatusTellsTheGravestEnd() {
    let upstream = SyncError(.upstream, "down")
    let guarded = SyncError(.guarded, "shrunk")
    let database = SyncError(.database, "gone", disposition: .stopRun)
    #expect(exitStatus([report(.complete), report(.inconsistent)]) == 0)
    #expect(exitStatus([report(.complete), report(.partial, holes: [3])]) == 1)
    #expect(exitStatus([report(.complete), report(.failed, upstream)]) == 1)
    #expect(exitStatus([report(.failed, upstream), report(.failed, upstream)]) == 69)
    #expect(exitStatus([report(.failed, upstream), report(.failed, guarded)]) == 86)
    #expect(exitStatus([report(.complete), report(.failed, database)]) == 74)
    let held = SyncError(.tryLater, "held")
    #expect(exitStatus([report(.complete)], refusals: [held]) == 1)
    #expect(exitStatus([], refusals: [held]) == 75)
  }
}

extension Configuration {
  fileprivate var jikan: JikanSource { get throws(SyncError) { try source() } }
}
