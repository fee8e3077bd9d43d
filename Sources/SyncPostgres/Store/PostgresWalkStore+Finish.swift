import LibPQ
package import SyncCore

extension PostgresWalkStore {
  /// Decides what happens with the list, carries the decision out, and closes the run, in one transaction.
  package func finish(_ walk: OpenWalk, stream: StreamDescription, ending: WalkEnding) async throws -> RunReport {
    let lease = lease(of: walk, stream)
    return try await database.write(
      bounds: bounds(of: walk), confirm: { _, connection in try Ledger.isClosed(walk.runID, connection) }
    ) { connection in
      try lease.lock(connection)
      let loss = try WalkRecord.loss(of: ending, walkID: walk.walkID, stream: stream.id, connection)
      let ending = loss.map(ending.failed) ?? ending
      let list = try Self.compareList(ending, of: walk, stream: stream, connection)
      let decision = try FinishDecision.decide(
        on: ending, of: walk, stream: stream, isUnchanged: list?.isUnchanged ?? false, connection)

      var counters = ending.counters
      let result = try Self.carryOut(
        decision, ending: ending, list: list, of: walk, stream: stream, &counters, connection)

      let isFresh = result.isFresh(ending.certificate)
      try lease.release(
        walkID: ending.isResumable ? walk.walkID : nil,
        readBy: isFresh && result.status.isEnd ? walk.runID : nil, isFresh: isFresh,
        isProven: isFresh && result.status == .complete, connection)
      if !ending.isResumable {
        try WalkRecord.close(walk.walkID, stream: stream.id, connection)
      }
      // After a loss, the ledger's counters match the readings that are left.
      let (walBytes, duration) = try Ledger.closeRun(
        walk.runID, status: result.status, counters: loss == nil ? counters : nil, certificate: ending.certificate,
        error: result.error, warning: result.warning, isGuarded: result.isGuarded, connection)
      return RunReport(
        id: walk.runID, stream: stream.id, status: result.status, counters: counters, walBytes: walBytes,
        duration: duration, certificate: ending.certificate, error: result.error, warning: result.warning,
        isFresh: isFresh)
    }
  }

  /// Marks the readings that are published, and compares their list with the published list.
  /// - Returns: `nil` if the walk publishes nothing, or if lists of this stream are not compared.
  private static func compareList(
    _ ending: WalkEnding, of walk: OpenWalk, stream: StreamDescription, _ connection: borrowing PGConnection
  ) throws -> PublishedContent? {
    guard ending.publishes else { return nil }
    if let readings = ending.publishedReadings {
      try WalkRecord.publish(readings, walkID: walk.walkID, connection)
    }
    return try PublishedContent.comparing(walk, stream: stream, isConsistent: ending.status.isWhole, connection)
  }

  /// Publishes the list if the decision permits it, and notes what a whole walk proves: the build, the cursor, and
  /// since when the list has been empty. A publication that is refused leaves the list as it was and fails the run.
  /// - Parameter counters: Receives the number of items that were marked as vanished.
  private static func carryOut(
    _ decision: FinishDecision, ending: WalkEnding, list: PublishedContent?, of walk: OpenWalk,
    stream: StreamDescription, _ counters: inout RunCounters, _ connection: borrowing PGConnection
  ) throws -> FinishResult {
    var result = FinishResult(decision, of: ending)
    switch decision {
    case .publish:
      do {
        counters.vanished += try publishOrUndo(list, ending: ending, of: walk, stream: stream, connection)
      } catch let refusal as SyncError {
        result.failPublication(refusal, of: ending)
      }
      try EmptyList.note(walk, stream: stream, isKeptBack: false, isPublished: result.isPublished, connection)
    case .keepBack:
      try EmptyList.note(walk, stream: stream, isKeptBack: true, isPublished: false, connection)
    case .leave, .refuse:
      try EmptyList.note(walk, stream: stream, isKeptBack: false, isPublished: false, connection)
    }

    if result.isPublished { try ParentLists.note(walk, stream: stream, connection) }
    guard result.status.isWhole else { return result }
    try Documents.noteBuild(of: walk.walkID, stream: stream, connection)
    if result.isPublished { try noteWholeList(of: walk, stream: stream, connection) }
    return result
  }

  /// Publishes the list, or leaves everything as it was.
  /// - Returns: The number of items that the publication marked as vanished.
  /// - Throws: `SyncError` if a guard, or a trigger, rule or policy of the user, refuses the list.
  private static func publishOrUndo(
    _ list: PublishedContent?, ending: WalkEnding, of walk: OpenWalk, stream: StreamDescription,
    _ connection: borrowing PGConnection
  ) throws -> Int {
    do {
      return try connection.savepoint { connection in
        try Publication.publish(
          walk, stream: stream, list: list, isConsistent: ending.status.isWhole, connection)
      }
    } catch let error as PostgresError where error.sqlState == .featureNotSupported {
      // A rule on a table of the list.
      throw SyncError(error, place: connection.address)
    }
  }

  /// Notes that the stream was read whole, for example its incremental cursor.
  private static func noteWholeList(
    of walk: OpenWalk, stream: StreamDescription, _ connection: borrowing PGConnection
  ) throws {
    guard let finished = SourceSQL.optional("finished", stream.sql) else { return }
    let isFull = stream.absence != .provesNothing
    _ = try connection.query(
      finished,
      [
        .int(walk.walkID), .texts(stream.sql.scope), .bool(isFull),
        Fingerprint.wholeListParameters(of: stream, connection),
      ])
  }
}
