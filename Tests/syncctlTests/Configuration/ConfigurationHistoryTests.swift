import SyncCore
import SyncPostgres
import Testing

@testable import JikanSource
@testable import SyncProgram

@Suite(.boundSources)
struct ConfigurationHistoryTests {
  @Test func aThousandPositionsForEverIsTheDefault() throws {
    let history = try load([:]).history
    #expect(history.positions.value == 1000 && history.retention.value == nil)
    #expect(history.publishing == ["1000"] && history.keeping == nil)
  }

  @Test func theEnvironmentBeatsTheFile() throws {
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
    #expect(try load([:]).retention.wanted.isEmpty)
    let yaml = "retention: { runs: 30d, lookups: 1d, results: forever }"
    let configuration = try load(["SYNCCTL_RETENTION_RUNS": "90d"], yaml: yaml)
    #expect(configuration.retention.wanted.map { $0.0 } == [.runs, .lookups, .results])
    #expect(configuration.retention.wanted.map(\.days) == [90, 1, nil])
    let shown = Dictionary(configuration.shown.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    #expect(shown["retention.runs"] == "90d" && shown["retention.quarantine"] == "400d")
    #expect(shown["retention.searches"] == "90d" && shown["retention.results"] == "forever")
    for wrong in ["retention: { runs: 5 }", "retention: { runs: 23h }", "retention: { run: 30d }"] {
      #expect(fault([:], yaml: wrong)?.code == .configuration)
    }
  }

  @Test func aMisspeltKeyIsNamed() {
    #expect(fault([:], yaml: "history: { position: 5 }")?.hint == "did you mean positions?")
  }
}
