import SyncCore

/// Ends the program with this status, without a message. A command throws it after it has printed its result or errors.
package struct ExitStatus: Error {
  let value: Int32

  package init(value: Int32) { self.value = value }

  static func help(_ width: Int?) -> [String] {
    let statuses = [
      ("0", "done; also: --max-pages reached, an unproven or inconsistent list (with a warning), items in quarantine"),
      ("1", "pages are missing, or some streams failed; for a query: no such id or name"),
      ("64", "invalid command line"), ("69", "the upstream is unavailable, or its answers are invalid"),
      ("74", "the database is unavailable, or the output cannot be written"),
      ("75", "try later: another run has the lease, or the retries or the rate limit are used up"),
      ("77", "permission or password"), ("78", "configuration or schema"),
      ("86", "a safety guard stopped the run: check the upstream, then syncctl confirm ID"),
      ("130, 143", "stopped by SIGINT or SIGTERM, with the checkpoint kept"),
    ]
    return ["Exit statuses"] + TextLayout.facts(statuses.map { ($0, $1) }, labelWidth: 8, width: width)
  }
}
