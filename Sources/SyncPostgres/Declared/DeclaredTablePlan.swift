import SyncCore

/// The statements that bring a table to its declaration, and the changes to report.
struct DeclaredTablePlan {
  private let table: DeclaredTable
  private(set) var script = ""
  private(set) var changes: [DeclaredSchema.Change] = []
  /// Whether the pages that an unfinished walk has stored lose their meaning.
  private(set) var forgetsWalk = false

  /// - Parameters:
  ///   - recorded: The state of the table; `nil` if the table does not exist yet.
  ///   - dropsColumns: Whether columns that are no longer declared, or that have another type, are dropped.
  /// - Throws: `SyncError` `.configuration` if the key has changed, or a column that must not be dropped.
  init(
    for table: DeclaredTable, recorded: DeclaredSchema.Recorded?, dropsColumns: Bool
  ) throws(SyncError) {
    self.table = table
    guard let recorded else {
      script = table.creation
      changes = [DeclaredSchema.Change(table: table.name, text: "created")]
      return
    }

    try table.refuseOtherKey(recorded)
    let changedColumns = table.changedColumns(in: recorded)
    if let column = changedColumns.first, !dropsColumns {
      throw SyncError(
        .configuration,
        "\(table.name): the column \(column.name) has another path or type in the table than in the declaration",
        hint: "syncctl migrate --drop-columns drops it and derives it again from raw")
    }

    let removedNames = table.removedNames(from: recorded)
    if dropsColumns {
      drop(removedNames, changedColumns)
    } else {
      reportKept(removedNames)
    }
    add(table.addedColumns(to: recorded) + changedColumns)
    addCounters(table.newCounters(to: recorded))
    if table.hasOtherCounters(than: recorded) { replaceCounters() }
    createList(recorded)
    createLostRelations(recorded)
    if table.mustBeRekeyed(recorded) {
      report("keys computed again", of: table.name)
      forgetsWalk = true
    }
  }

  private mutating func report(_ text: String, of relation: String, isDone: Bool = true) {
    changes.append(DeclaredSchema.Change(table: relation, text: text, isDone: isDone))
  }

  /// - Parameters:
  ///   - removedNames: The names of columns that are no longer declared, as recorded.
  ///   - changedColumns: The columns with another path or type.
  private mutating func drop(_ removedNames: [String], _ changedColumns: [DeclaredTable.Column]) {
    guard !removedNames.isEmpty || !changedColumns.isEmpty else { return }
    // These views can contain the columns. `migrate` creates them again.
    script += "DROP VIEW IF EXISTS \(table.fullName);\nDROP VIEW IF EXISTS \(table.placesName);\n"
    script += DeclaredTable.emptyFavorites(of: table.source)

    let columns = removedNames.filter { !$0.hasPrefix(DeclaredTable.counterPrefix) }
    for name in columns { script += "ALTER TABLE \(table.name) DROP COLUMN \(name.quoted);\n" }
    for name in removedNames where name.hasPrefix(DeclaredTable.counterPrefix) {
      let column = name.dropFirst(DeclaredTable.counterPrefix.count)
      script += "ALTER TABLE \(table.countersName) DROP COLUMN \(String(column).quoted);\n"
    }
    for column in changedColumns {
      script += "ALTER TABLE \(table.relation(of: column)) DROP COLUMN \(column.name.quoted);\n"
    }
    for name in columns { report("column \(name) dropped", of: table.name) }
  }

  /// Reports the columns of documents that are no longer declared and stay in the table.
  private mutating func reportKept(_ removedNames: [String]) {
    for name in removedNames where !name.hasPrefix(DeclaredTable.counterPrefix) {
      report(
        "the column \(name) is no longer declared; syncctl migrate --drop-columns drops it", of: table.name,
        isDone: false)
    }
  }

  private mutating func add(_ columns: [DeclaredTable.Column]) {
    for column in columns {
      let relation = table.relation(of: column)
      script += "ALTER TABLE \(relation) ADD COLUMN \(table.definition(column));\n"
      script += table.comment(on: column, of: relation)
      report("column \(column.name) derived from raw", of: table.name)
    }
  }

  private mutating func addCounters(_ counters: [DeclaredTable.Column]) {
    guard !counters.isEmpty else { return }
    // PostgreSQL cannot rename a view's column in place. `migrate` creates the view again.
    script += "DROP VIEW IF EXISTS \(table.fullName);\n" + table.countersCreation
    for counter in counters {
      // A table that was just created has the column already.
      script += "ALTER TABLE \(table.countersName) ADD COLUMN IF NOT EXISTS \(table.definition(counter));\n"
      script += table.comment(on: counter, of: table.countersName)
      report("column \(counter.name) derived from raw", of: table.countersName)
    }
  }

  private mutating func replaceCounters() {
    // The view has columns of earlier counters. `migrate` creates it again.
    script += "DROP VIEW IF EXISTS \(table.fullName);\n"
    // The hash of a document omits the counters, so every document has another hash now.
    script += "UPDATE \(table.name) SET content_hash = set_byte(decode(repeat('00', 33), 'hex'), 32, 1);\n"
    report("other counters: the next run writes each document again", of: table.name)
    forgetsWalk = true
  }

  /// Creates a list that is newly declared, or that a user has dropped.
  private mutating func createList(_ recorded: DeclaredSchema.Recorded) {
    let isOther = table.hasOtherLists(than: recorded)
    guard table.hasList, !recorded.hasList || !recorded.relations.hasList || isOther else { return }
    if isOther { script += "DROP VIEW IF EXISTS \(table.placesName);\nDROP TABLE IF EXISTS \(table.listName);\n" }
    script += table.listCreation
    script += "DELETE FROM sync.list_state WHERE source = '\(table.source)' AND stream = '\(table.resource)';\n"
    // Otherwise, the next walk would find the same digest and write no positions.
    script += "DELETE FROM sync.published_list WHERE source = '\(table.source)' AND list = '\(table.resource)';\n"
    let text =
      if isOther {
        "created again, because the resource has other lists; the next run writes the positions"
      } else if recorded.hasList {
        "was dropped; created, and the next run writes the positions"
      } else {
        "created"
      }
    report(text, of: table.listName)
  }

  /// Creates the table and the views of counters and places if a user has dropped them.
  private mutating func createLostRelations(_ recorded: DeclaredSchema.Recorded) {
    if table.lists?.parent != nil, !recorded.relations.hasPlaces { report("created", of: table.placesName) }
    guard !table.counters.isEmpty else { return }
    if !recorded.relations.hasCounters, !recorded.counters.isEmpty {
      script += table.countersCreation
      report("was dropped; created, and the next run writes the counters", of: table.countersName)
      forgetsWalk = true
    } else if !table.hasOtherCounters(than: recorded), !recorded.relations.hasView {
      report("created", of: table.fullName)
    }
  }
}
