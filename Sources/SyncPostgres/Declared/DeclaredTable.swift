package import SyncCore

/// A table that the configuration file declares. `syncctl migrate` creates it, and its typed columns are generated from
/// the document.
package struct DeclaredTable: Sendable, Equatable {
  /// A typed column whose values the database computes from a member of the document.
  package struct Column: Sendable, Equatable {
    package let name: String
    /// The members that lead to the value, from the document.
    package let path: [String]
    package let type: ColumnType

    /// `path` needs at least one member.
    package init(name: String, path: [String], type: ColumnType) {
      self.name = name
      self.path = path
      self.type = type
    }

    /// The column's value in SQL; `raw` is the document.
    var expression: String { expression(of: "raw") }

    /// The column's value in SQL.
    /// - Parameter raw: The document in SQL.
    func expression(of raw: String) -> String { "\(type.function)(\(Self.value(raw, path)))" }

    /// The member at a path in SQL.
    /// - Parameter raw: The document in SQL.
    static func value(_ raw: String, _ path: [String]) -> String {
      path.count == 1 ? "\(raw)->\(path[0].literal)" : "\(raw)#>ARRAY[\(path.map(\.literal).joined(separator: ", "))]"
    }
  }

  /// The lists of a resource that has several.
  package struct Lists: Sendable, Equatable {
    /// The resource whose items have a list each.
    package struct Parent: Sendable, Equatable {
      /// The parent's table, with its schema.
      package let table: String
      /// The name of the parent resource.
      package let resource: String
      /// The members of the parent's document that the view of places shows, with the names and types of its columns.
      package let included: [Column]
      /// The counters of the parent that the view of places shows.
      package let includedCounters: [Column]
      /// Whether items vanish with their last parent.
      package let vanishesWithParent: Bool

      /// The table of the parent's counters.
      var countersTable: String { "\(table)_counters" }

      /// - Parameter table: The parent's table, with its schema.
      package init(
        table: String, resource: String, included: [Column] = [], includedCounters: [Column] = [],
        vanishesWithParent: Bool = false
      ) {
        self.table = table
        self.resource = resource
        self.included = included
        self.includedCounters = includedCounters
        self.vanishesWithParent = vanishesWithParent
      }
    }

    /// `nil` if the lists' names are not keys of parent items.
    package let parent: Parent?

    package init(parent: Parent? = nil) { self.parent = parent }

    /// The type of the column `list` in PostgreSQL.
    var nameType: String { parent == nil ? "text" : "bigint" }
  }

  package let source: SourceID
  package let resource: String
  /// The names of the columns with the key's members. They are the first of `columns`. Empty if an item has no key, so
  /// that its document identifies it.
  package let key: [String]
  /// Whether the table's key is the only member itself, and not a hash.
  package let hasNumberKey: Bool
  /// The path of the items in a page, as declared.
  package let selector: String
  /// The columns of the document, beginning with those of the key's members. Counters are not among them.
  package let columns: [Column]
  /// The columns of members that change often. They are in a table of their own.
  package let counters: [Column]
  /// Whether the order of the pages is stored.
  package let hasList: Bool
  /// The lists, if the resource has several. Their places are in one table, so `hasList` must be true. `nil` for one
  /// list.
  package var lists: Lists?
  /// The path of the incremental cursor.
  package let cursor: [String]?
  /// The name of the column that `title` declares; `nil` for the usual names.
  private let titleName: String?

  /// Creates a table. `columns` begins with the columns of `key`, in its order. The order of the arrays is not checked.
  /// - Parameters:
  ///   - selector: The path of the items in a page, as declared.
  ///   - cursor: The path of the incremental cursor; `nil` without one.
  ///   - title: The name of a column of type text that names items in favorites and dry runs.
  package init(
    source: SourceID, resource: String, key: [String], hasNumberKey: Bool, selector: String, columns: [Column],
    counters: [Column], hasList: Bool, cursor: [String]?, title: String? = nil
  ) {
    self.source = source
    self.resource = resource
    self.key = key
    self.hasNumberKey = hasNumberKey
    self.selector = selector
    self.columns = columns
    self.counters = counters
    self.hasList = hasList
    self.cursor = cursor
    titleName = title
  }

  /// The columns of the key's members, in the order of the declared key.
  package var keyColumns: ArraySlice<Column> { columns.prefix(key.count) }

  package var name: String { "\(source).\(resource)" }
  /// The table of the counters.
  var countersName: String { "\(name)_counters" }
  /// The view of the items with their counters.
  var fullName: String { "\(name)_full" }
  /// The table of the published list.
  var listName: String { "\(name)_list" }
  /// The view of the items with their places in the lists of parent items.
  var placesName: String { "\(name)_places" }

  /// Returns the statements and scope of the table's streams. Call this table's `embed` before a statement is used.
  /// - Parameter publishing: Further parameters of the statements that publish a list.
  package func sql(publishing: [String] = []) -> StreamSQL {
    StreamSQL(folder: "declared/\(source)/\(resource)", scope: [source.rawValue, resource], publishing: publishing)
  }

  /// The column with the item's name, for favorites and pages.
  package var title: Column? {
    if let titleName { return columns.first { $0.name == titleName } }
    return ["title", "name", "full_name", "label"].lazy.compactMap { name in
      columns.first { $0.name == name && $0.type == ColumnType(.text) }
    }.first
  }
}
