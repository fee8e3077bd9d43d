import LibPQ
package import SyncCore

/// The lists of a resource that has one for each item of a parent resource.
package struct ParentLists: Sendable {
  /// The table of the parent resource.
  let parent: DeclaredTable
  /// Whether the parent's missing items are looked up, so that an item can be current although its list lacks it.
  let isLookedUp: Bool
  /// The members of the parent's items that requests contain.
  let members: [Member]
  /// Whether the values of a list end with the parent's key.
  let identifies: Bool
  /// Which lists a walk requests. `nil` if it requests all.
  let refresh: Refresh?

  /// A member of a parent item that requests contain. If the item has places in several lists, its first list counts.
  package enum Member: Sendable, Equatable {
    /// The path of a member of the item's document.
    case document([String])
    /// The name of the item's list. The lists of the parent must not belong to items.
    case listName
    /// The path of a member of the item to which the parent item's list belongs.
    case grandparent([String], isCounter: Bool)
  }

  /// A rule for lists that a walk does not request.
  package struct Refresh: Sendable {
    /// The member of the parent whose change is a change of the list. `nil` for the whole document.
    let member: [String]?
    /// The age from which a list is requested without a change of its parent.
    let every: Duration

    /// `member` is the path of a column or counter of the parent.
    package init(member: [String]?, every: Duration) {
      self.member = member
      self.every = every
    }
  }

  /// - Parameters:
  ///   - parent: The table of the parent resource.
  ///   - isLookedUp: Whether the parent has `lookup`.
  ///   - members: The members of the parent's items that requests contain.
  ///   - identifies: Whether the values of a list end with the members of the parent's key, as canonical JSON.
  package init(
    of parent: DeclaredTable, isLookedUp: Bool, members: [Member], identifies: Bool, refresh: Refresh?
  ) {
    self.parent = parent
    self.isLookedUp = isLookedUp
    self.members = members
    self.identifies = identifies
    self.refresh = refresh
  }

  /// Loads the lists in the order of the parents' keys: one for each item that the parent's list has, that its own
  /// address still has, or that was stored after the list was published.
  /// - Parameters:
  ///   - stream: The child's stream, whose parameters tell whether the published lists were requested in the same way.
  ///   - requestsAll: Whether a walk requests all lists, whatever `refresh` says.
  /// - Returns: The lists. A list whose parent lacks one of the members has fewer values than members. `nil` if the
  ///   parent's list was never published.
  package func load(
    for stream: StreamDescription, requestsAll: Bool, in database: Database
  ) async throws -> [StreamList]? {
    try await database.read { connection in
      let parentStream = StreamID(source: parent.source, name: parent.resource)
      guard try Publication.exists(of: parentStream, connection) else { return nil }

      let valueColumns = 3..<3 + valueExpressions.count
      let fingerprint = refresh == nil ? "" : try Fingerprint(connection).text(of: Self.requests(of: stream))
      return try connection.query(
        SQL(trusted: statement),
        stream.id.key + [.text(fingerprint), .double((refresh?.every ?? .zero) / .seconds(1))]
      ).map { row in
        let values = try valueColumns.map { column in try row.text(column) }
        return StreamList(
          name: try row.text(0) ?? "", values: values.prefix { $0 != nil }.compactMap(\.self),
          version: try row.text(1), isRequested: try requestsAll || row.bool(2) != true)
      }
    }
  }

  /// What the requests of a stream, and the mapping of their answers, depend on.
  private static func requests(of stream: StreamDescription) -> String {
    [stream.provider, stream.origin, "\(stream.pageSize)", "\(stream.mappingVersion)", stream.parameters]
      .joined(separator: "\n")
  }

  /// The values of a list in SQL, from a parent's row `d`.
  private var valueExpressions: [String] {
    members.map(expression) + (identifies ? parent.keyJSON("d.raw") : [])
  }

  private func expression(of member: Member) -> String {
    func text(_ raw: String, _ path: [String]) -> String {
      let value = DeclaredTable.Column.value(raw, path)
      return "CASE WHEN jsonb_typeof(\(value)) IN ('string', 'number', 'boolean') THEN (\(value)) #>> '{}' END"
    }
    let place = "\(parent.listName) l"
    switch member {
    case .document(let path): return text("d.raw", path)
    case .listName:
      return "(SELECT l.list FROM \(place) WHERE l.syncctl_key = d.syncctl_key ORDER BY l.list COLLATE \"C\" LIMIT 1)"
    case .grandparent(let path, let isCounter):
      guard let grandparent = parent.lists?.parent else { return "NULL" }
      let table = isCounter ? grandparent.countersTable : grandparent.table
      return """
        (SELECT \(text("g.raw", path)) FROM \(place) LEFT JOIN \(table) g ON g.syncctl_key = l.list
         WHERE l.syncctl_key = d.syncctl_key ORDER BY l.list LIMIT 1)
        """
    }
  }

  /// $1 source, $2 stream, $3 fingerprint of the requests, $4 the largest age of a list in seconds
  ///
  /// If another session has written to the places, they have no digest. Each list is then requested, because the places
  /// of a list that is not requested would stay as they are.
  private var statement: String {
    let values = valueExpressions.map { ", \($0)" }.joined()
    // An incremental walk stores new items and publishes no list.
    let isListed = """
      (EXISTS (SELECT FROM \(parent.listName) l WHERE l.syncctl_key = d.syncctl_key)
        OR d.first_seen_at > (SELECT published_at FROM sync.publication
                              WHERE source = '\(parent.source)' AND list = '\(parent.resource)'))
      """
    return """
      SELECT d.syncctl_key::text, v.version, v.version = s.version
        AND s.read_at > clock_timestamp() - make_interval(secs => $4::double precision)
        AND EXISTS (SELECT FROM sync.published_list WHERE source = $1 AND list = $2 AND digest IS NOT NULL)\(values)
      FROM \(parent.name) d\(parent.counters.isEmpty ? "" : " LEFT JOIN \(parent.countersName) c USING (syncctl_key)")
      CROSS JOIN LATERAL (SELECT \(version) AS version OFFSET 0) v
      LEFT JOIN sync.list_state s ON s.source = $1::text AND s.stream = $2::text AND s.list = d.syncctl_key::text
      WHERE d.vanished_at IS NULL\(parent.hasList && !isLookedUp ? " AND \(isListed)" : "")
      ORDER BY d.syncctl_key
      """
  }

  /// The version of a parent's row in SQL. It also changes with the requests of the child.
  private var version: String {
    guard let refresh else { return "NULLIF($3::text, $3::text)" }
    // The values that are not in the parent's document can change without a change of the document.
    let others = members.filter { if case .document = $0 { false } else { true } }
    let otherValues = others.map { " || coalesce(\(expression(of: $0)), '')" }.joined()
    guard let member = refresh.member else {
      return "md5($3::text || encode(d.content_hash, 'hex')\(otherValues))"
    }
    let raw = parent.counters.contains { $0.path == member } ? "c.raw" : "d.raw"
    return "md5($3::text || coalesce((\(DeclaredTable.Column.value(raw, member)))::text, '')\(otherValues))"
  }
}

extension ParentLists {
  /// Notes the versions of the parents for which the published lists were requested. Forgets lists that the stream no
  /// longer has, and lists that the walk did not read wholly, so that the next walk requests these.
  static func note(_ walk: OpenWalk, stream: StreamDescription, _ connection: borrowing PGConnection) throws {
    guard stream.lists?.lists.contains(where: { $0.version != nil }) == true else { return }
    _ = try connection.query(
      """
      WITH whole AS MATERIALIZED (
        SELECT list, version, ended_at FROM sync.walk_list
        -- Only a list that was read wholly has a version.
        WHERE walk_id = $3 AND version IS NOT NULL
      ), gone AS (
        DELETE FROM sync.list_state
        WHERE source = $1 AND stream = $2 AND list NOT IN (SELECT list FROM whole) AND (
          list NOT IN (SELECT unnest(lists) FROM sync.walk WHERE id = $3)
          OR list IN (SELECT list FROM sync.walk_list WHERE walk_id = $3))
      )
      INSERT INTO sync.list_state AS s (source, stream, list, version, read_at)
      SELECT $1, $2, list, version, ended_at FROM whole
      ON CONFLICT (source, stream, list) DO UPDATE SET version = excluded.version, read_at = excluded.read_at
      """, stream.id.key + [.int(walk.walkID)])
  }
}
