import LibPQ
import SyncCore

enum Quarantine {
  static func add(
    _ items: [RejectedItem], stream: StreamID, runID: String, _ connection: borrowing PGConnection
  ) throws {
    for item in items {
      try connection.writeRow(
        to: "sync.quarantine",
        """
        WITH run_item AS (
          INSERT INTO sync.run_quarantine (run_id, item, reason) VALUES ($7::uuid, $3, $4) ON CONFLICT DO NOTHING)
        INSERT INTO sync.quarantine AS q
          (source, stream, item, reason, detail, raw, first_run_id, last_run_id, first_at, last_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7::uuid, $7::uuid, statement_timestamp(), statement_timestamp())
        ON CONFLICT (source, stream, item, reason) DO UPDATE SET
          count = q.count + 1, detail = excluded.detail, raw = excluded.raw, last_run_id = excluded.last_run_id,
          last_at = excluded.last_at
        """, stream.key + [item.identity, item.reason, item.detail, item.excerpt, runID].map { .text($0) })
    }
  }
}
