import LibPQ
import SyncCore

/// Replaces a stream's published list with the list of a walk, or refuses it.
enum Publication {
  /// Whether a walk of the stream was ever published.
  static func exists(of stream: StreamID, _ connection: borrowing PGConnection) throws -> Bool {
    try connection.isTrue(
      "SELECT EXISTS (SELECT FROM sync.publication WHERE source = $1 AND list = $2)", stream.key)
  }

  /// Asks the guards whether a list that was read to its end can be published.
  ///
  /// - Returns: `.publish`, `.keepBack`, or a refusal that the user can confirm.
  static func decision(
    on walk: OpenWalk, stream: StreamDescription, unstored: UnstoredReadings = UnstoredReadings(),
    isUnchanged: Bool = false, _ connection: borrowing PGConnection
  ) throws -> FinishDecision {
    guard stream.absence.publishesList, !walk.isConfirmed, !unstored.hasUnreadable else {
      return .publish()
    }

    let isEmpty = try EmptyList.isEmpty(walk, unstored: unstored, connection)
    if isEmpty, stream.witness == nil, case .leavesWindow = stream.absence,
      try !EmptyList.isPublished(stream.id, connection)
    {
      return .refuse(
        SyncError(
          .guarded, "\(stream.id): the list is empty, which a list of this kind never is; the published list is kept",
          hint: Confirmation.hint(for: walk)), isConfirmable: true)
    }

    if isUnchanged { return .publish() }

    let counts = try connection.query(
      SourceSQL.text("preview_publish", stream.sql),
      [.int(walk.walkID), .texts(stream.sql.scope), .ints(unstored.keys), .int(Int64(unstored.added))]
        + unstored.listParameter(\.unpublished, of: stream)
    ).first { row in (published: Int(try row.int(0) ?? 0), removed: Int(try row.int(1) ?? 0)) }
    guard let counts else { return .publish() }

    if isEmpty, stream.witness != nil {
      guard counts.published > 0, try !EmptyList.isConfirmed(stream.id, connection) else { return .publish() }
      let hours = Limits.emptyListConfirmation.components.seconds / 3600
      return .keepBack(
        warning: "the list is empty; its \(counts.published) published entries are kept until a run finds "
          + "it empty again, \(hours) hours or more after the first one")
    }

    guard let rule = stream.absence.shrinkGuard, rule.refuses(removing: counts.removed, of: counts.published) else {
      return .publish()
    }
    return .refuse(
      SyncError(
        .guarded,
        "\(stream.id): publishing this list would remove \(counts.removed.grouped) of \(counts.published.grouped) entries; "
          + "the published list is unchanged", hint: Confirmation.hint(for: walk)), isConfirmable: true)
  }

  /// Returns a warning and not an error, because a service can begin a season later or earlier than the calendar.
  static func otherSpan(
    of walk: OpenWalk, stream: StreamDescription, keys: [Int64], _ connection: borrowing PGConnection
  ) throws -> String? {
    guard let expected = stream.expectedSpan else { return nil }
    let found = try connection.query(
      SourceSQL.text("span", stream.sql), [.int(walk.walkID), .texts(stream.sql.scope), .text(expected), .ints(keys)]
    ).first { row in (span: try row.text(0) ?? "", count: try row.int(1) ?? 0, all: try row.int(2) ?? 0) }
    guard let found, found.span != expected else { return nil }
    return "most entries are of \(found.span) (\(found.count) of \(found.all)), but by the calendar it is "
      + "\(expected); the list is published as the service sends it"
  }

  /// The user cannot confirm a walk with too many bad items, because the usable items are not a copy of the upstream.
  /// - Parameter judged: the tally of all walks that are judged together; `nil` to judge this walk alone.
  static func refusalOfQuarantined(
    in walk: OpenWalk, stream: StreamDescription, unstored: UnstoredReadings = UnstoredReadings(),
    judged: ItemTally? = nil, _ connection: borrowing PGConnection
  ) throws -> SyncError? {
    let tally = try judged ?? tally(in: walk, unstored, connection).tally
    let isExceeded = QuarantineLimit.isExceeded(
      tally.unusable, of: tally.items, isWindow: stream.absence == .leavesWindow)
    return isExceeded
      ? try refusal(of: tally, isTogether: judged != nil, in: walk, stream: stream.id, unstored, connection) : nil
  }

  /// Checks an unfinished walk, whose share of bad items can still fall.
  static func refusalOfQuarantined(
    during walk: OpenWalk, stream: StreamDescription, unstored: UnstoredReadings = UnstoredReadings(),
    _ connection: borrowing PGConnection
  ) throws -> SyncError? {
    guard !stream.absence.isJudgedWithOthers else { return nil }
    let (tally, claimed) = try tally(in: walk, unstored, connection)
    return QuarantineLimit.isDecided(tally.unusable, of: tally.items, claimed: claimed)
      ? try refusal(of: tally, isTogether: false, in: walk, stream: stream.id, unstored, connection) : nil
  }

  private static func tally(
    in walk: OpenWalk, _ unstored: UnstoredReadings, _ connection: borrowing PGConnection
  ) throws -> (tally: ItemTally, claimed: Int?) {
    let stored = try connection.query(
      """
      SELECT sum(quarantined)::bigint, sum(rows_seen)::bigint, max(fresh),
        (SELECT max(claimed_total) FROM sync.walk_page WHERE walk_id = $1)
      FROM sync.run WHERE walk_id = $1
      """, [.int(walk.walkID)]
    ).first { row in
      (
        quarantined: Int(try row.int(0) ?? 0), seen: Int(try row.int(1) ?? 0), fresh: Int(try row.int(2) ?? 0),
        claimed: try row.int(3).map { Int($0) }
      )
    }

    var tally = ItemTally()
    tally.add(unstored.counters)
    tally.unusable += stored?.quarantined ?? 0
    // Each run of a walk counts all fresh documents again, so the largest count is used.
    tally.items += (stored?.seen ?? 0) + max(0, (stored?.fresh ?? 0) - unstored.counters.fresh)
    return (tally, [stored?.claimed, unstored.claimedTotal].compactMap(\.self).max())
  }

  /// - Returns: The error with the first item's reason, which often names the remedy.
  private static func refusal(
    of tally: ItemTally, isTogether: Bool, in walk: OpenWalk, stream: StreamID, _ unstored: UnstoredReadings,
    _ connection: borrowing PGConnection
  ) throws -> SyncError {
    let stored =
      try connection.query(
        """
        SELECT detail FROM sync.quarantine WHERE source = $1 AND stream = $2 AND last_run_id::text = $3
        ORDER BY first_at, item LIMIT 1
        """, stream.key + [.text(walk.runID)]
      ).first { try $0.text(0) } ?? nil

    let reason = stored ?? unstored.rejection
    let example = reason.map { "; one of them: \(Excerpt.of($0, scalars: 300))" } ?? ""
    return SyncError(
      // The SQL function sync.run_held recognizes refused walks by this text.
      .guarded,
      "\(stream): \(tally.unusable.grouped) of \(tally.items.grouped) items \(isTogether ? "of this run " : "")could not be used; "
        + "the published list is unchanged\(example)",
      hint: "syncctl runs show \(walk.runID.prefix(8)) --quarantine lists the reasons; "
        + "the upstream has probably changed its format")
  }

  /// The parameters of the statements `publish` and `digest`, from `$1`.
  static func parameters(of walk: OpenWalk, stream: StreamDescription, isConsistent: Bool) -> [PGParameter] {
    [
      .int(walk.walkID), .texts(stream.sql.scope), .texts(stream.sql.publishing), .text(walk.runID),
      .bool(isConsistent),
    ]
  }

  /// Makes the published list equal to the walk's list, and records the publication in `sync.publication`. A list that
  /// has not changed is not written. `decision` has permitted the publication.
  /// - Parameter list: The comparison with the published list. `nil` if lists of this stream are not compared.
  /// - Returns: The number of items that were marked as vanished.
  /// - Throws: `SyncError` `.configuration` if a trigger, rule or policy has dropped a row.
  static func publish(
    _ walk: OpenWalk, stream: StreamDescription, list: PublishedContent?, isConsistent: Bool,
    _ connection: borrowing PGConnection
  ) throws -> Int {
    let entries: Int64?
    var vanished = 0
    switch stream.absence {
    case .provesNothing: return 0
    case _ where list?.isUnchanged == true:
      entries = list?.entries
      if let unchanged = SourceSQL.optional("unchanged", stream.sql) {
        _ = try connection.query(unchanged, [.texts(stream.sql.publishing)])
      }
    case .endsEntry, .leavesWindow, .questionsItem(_, publishes: true):
      try connection.stage([.init(name: "syncctl.publishing", value: stream.id.source.rawValue)])
      let published = try connection.query(
        SourceSQL.text("publish", stream.sql), parameters(of: walk, stream: stream, isConsistent: isConsistent))
      try published.refuseDropped()
      try list?.keep(published, connection)
      entries = try published.int(row: 0, column: 0)
      if let column = published.columnNames.firstIndex(of: "vanished") {
        vanished = Int(try published.int(row: 0, column: column) ?? 0)
      }
    case .questionsItem:
      entries = try connection.query(
        """
        SELECT count(*) FROM (
          SELECT unnest(keys) AS key FROM sync.published_page WHERE walk_id = $1
          UNION
          SELECT unnest(keys) FROM sync.walk_page WHERE walk_id = $1 AND list_page IS NULL) AS seen
        """, [.int(walk.walkID)]
      ).int(row: 0, column: 0)
    }

    try connection.writeRow(
      to: "sync.publication",
      """
      INSERT INTO sync.publication (source, list, run_id, consistent, entries, folder, scope, digest)
      VALUES ($1, $2, $3::uuid, $4, $5, $6, $7, $8)
      ON CONFLICT (source, list) DO UPDATE SET run_id = excluded.run_id, published_at = clock_timestamp(),
        consistent = excluded.consistent, entries = excluded.entries, folder = excluded.folder, scope = excluded.scope,
        digest = excluded.digest
      """,
      stream.id.key + [
        .text(walk.runID), .bool(isConsistent), .int(entries ?? 0), .text(stream.sql.folder), .texts(stream.sql.scope),
        digest(of: stream, isUnchanged: list?.isUnchanged == true, connection),
      ])
    return vanished
  }

  /// An unchanged list keeps its digest, because a new digest would include rows that were edited by hand.
  private static func digest(
    of stream: StreamDescription, isUnchanged: Bool, _ connection: borrowing PGConnection
  ) throws -> PGParameter {
    guard SourceSQL.has("list_keys", stream.sql) else { return .null }
    if isUnchanged {
      let stored =
        try connection.query(
          "SELECT digest FROM sync.publication WHERE source = $1 AND list = $2", stream.id.key
        ).first { try $0.bytea(0) } ?? nil
      if let stored { return .bytes(stored) }
    }
    let digest =
      try connection.query(SourceSQL.text("list_keys", stream.sql), [.texts(stream.sql.scope)])
      .first { try $0.bytea(1) } ?? nil
    return digest.map { .bytes($0) } ?? .null
  }
}
