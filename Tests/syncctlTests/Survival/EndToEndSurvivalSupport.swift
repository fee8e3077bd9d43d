import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

enum DrillSize {
  static func number(_ variable: String, otherwise number: Int) -> Int {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? number
  }

  static var kills: Int { max(1, number("SYNCCTL_TEST_KILLS", otherwise: 10)) }
  static var rows: Int { max(250, number("SYNCCTL_TEST_ROWS", otherwise: 3000)) }
  static var isLong: Bool { number("SYNCCTL_TEST_LONG", otherwise: 0) != 0 }
}

extension Mirror {
  func published() async throws -> String {
    try await contents() + "\n"
      + sql("SELECT source, list, consistent, entries FROM sync.publication ORDER BY source, list")
  }

  /// Sums of the counters of all runs. If no page is lost or counted twice, the sums do not depend on interruptions.
  func totals() async throws -> String {
    try await sql(
      """
      SELECT sum(pages) AS pages, sum(rows_seen) AS rows, sum(inserted) AS inserted, sum(updated) AS updated,
        sum(unchanged) AS unchanged, sum(duplicates) AS duplicates, sum(quarantined) AS quarantined,
        (SELECT count(*) FROM sync.walk_page) AS kept_pages, (SELECT count(*) FROM sync.walk) AS walks
      FROM sync.run
      """)
  }

  func expectWholePages(_ note: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    guard try await sql("SELECT to_regclass('jikan.media_counters') IS NOT NULL") == "t" else { return }
    let facts = try await sql(
      """
      SELECT count(*) = coalesce(max(page), 0),
        coalesce((SELECT cursor FROM sync.stream_state), 0) = coalesce(max(page), 0),
        (SELECT count(*) FROM jikan.media)
          = (SELECT count(DISTINCT key) FROM sync.walk_page p, unnest(p.keys) key),
        (SELECT count(*) FROM jikan.media) = (SELECT count(*) FROM jikan.media_counters),
        (SELECT count(*) FROM sync.run WHERE status = 'running') <= 1
      FROM sync.walk_page
      """)
    #expect(facts == "t|t|t|t|t", "\(note)", sourceLocation: sourceLocation)
  }
}

extension Mirror {
  private static let tables = [
    "sync.walk", "sync.walk_page", "sync.run", "sync.stream_state", "sync.quarantine", "sync.publication",
    "jikan.media", "jikan.media_counters", "jikan.ranking",
  ]

  /// Installs triggers that record each write with the `application_name` of its transaction.
  func installWitness() async throws {
    _ = try await sql(
      """
      CREATE SCHEMA witness;
      CREATE TABLE witness.writing (
        id bigint GENERATED ALWAYS AS IDENTITY, at timestamptz DEFAULT clock_timestamp(), writer text, what text,
        generation bigint);
      CREATE FUNCTION witness.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        INSERT INTO witness.writing (writer, what, generation)
        SELECT current_setting('application_name'), TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME,
          (SELECT lease_generation FROM sync.stream_state);
        RETURN NULL;
      END $$;
      """
        + Self.tables.map {
          "CREATE TRIGGER witness AFTER INSERT OR UPDATE OR DELETE ON \($0) FOR EACH ROW "
            + "EXECUTE FUNCTION witness.note();"
        }.joined(separator: "\n"))
  }

  func everything() async throws -> String {
    try await sql(
      Self.tables.map { "SELECT '\($0)', count(*), md5(string_agg(t::text, E'\\n' ORDER BY t::text)) FROM \($0) t" }
        .joined(separator: " UNION ALL "))
  }

  func expectOneWriterAtATime(runs: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let writers = try await sql("SELECT 'syncctl ' || id FROM sync.run ORDER BY started_at")
      .split(separator: "\n").map(String.init)
    #expect(writers.count == runs, sourceLocation: sourceLocation)
    let turns = try await sql(
      """
      SELECT writer FROM (SELECT id, writer, lag(writer) OVER (ORDER BY id) AS before FROM witness.writing) w
      WHERE before IS DISTINCT FROM writer ORDER BY id
      """
    ).split(separator: "\n").map(String.init)
    #expect(turns == writers, sourceLocation: sourceLocation)
    let shared = try await sql(
      """
      SELECT count(*) FROM (
        SELECT generation FROM witness.writing WHERE what = 'sync.walk_page'
        GROUP BY generation HAVING count(DISTINCT writer) > 1) g
      """)
    #expect(shared == "0", "leases with two writers", sourceLocation: sourceLocation)
  }
}

struct Undisturbed {
  let published: String
  let totals: String
  /// The number includes the request for the page after the last one.
  let requests: Int

  static func walk(of upstream: some SimulatedUpstream, stream: String = "top-anime") async throws -> Undisturbed {
    try await Mirror.with(upstream) { mirror, server in
      try await mirror.succeed("run", "--stream", stream)
      return Undisturbed(
        published: try await mirror.published(), totals: try await mirror.totals(), requests: server.history.count)
    }
  }
}

extension SimulatorServer {
  func waitForRequests(_ more: Int, after seen: Int) async throws {
    try await waitUntil("\(more) requests", deadline: .seconds(120)) { history.count >= seen + more }
  }
}

extension Duration {
  var inSeconds: String {
    let hundredths = Int((self / .milliseconds(10)).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) s"
  }
}

func tell(_ figures: String) {
  // The output is unbuffered, so that a user sees the progress of a drill that takes minutes.
  FileHandle.standardOutput.write(Data("drill: \(figures)\n".utf8))
}
