import Foundation
import SyncCore
package import SyncPostgres

/// A value of a listing. Its type determines its form in each output format.
package enum Cell: Sendable, Equatable {
  case text(String)
  case int(Int64)
  /// A number as text, so that a `numeric` keeps every digit.
  case number(String)
  case bool(Bool)
  /// A time in ISO 8601 and UTC, or `infinity`.
  case time(String)
  /// A value in PostgreSQL's format that cannot contain a user's text, such as an interval.
  case literal(String)
  case null
  case json(String)
}

/// A column of a listing, and its form in tables.
///
/// The last word of the key, after `_`, determines how tables show numbers. After `id`, `key`, `number`, `pid`,
/// `version` or `year`, they show all digits without groups. After `score`, decimal numbers have two decimals, and
/// whole numbers have no groups. After any other word, digits are grouped, as in 1,204. JSON and CSV always contain the
/// plain number.
package struct Column: Sendable, Equatable {
  /// The side of a column's texts in tables. With `automatic`, a column that has only numbers is on the right.
  package enum Alignment: Sendable { case automatic, leading, trailing }

  /// The name in JSON and CSV. It must not change, because scripts depend on it.
  package var key: String
  /// The heading in tables.
  var title: String
  var alignment: Alignment
  var fit: Fit
  /// Whether tables show a time itself. Otherwise, terminals and pages show its age, such as 3 h ago.
  var isExact: Bool
  /// Whether tables show the fraction of a time's second. Only times that are not shown as ages have one.
  var hasFractions: Bool
  private let numbers: Numbers

  private enum Numbers { case counts, names, scores }

  /// The change of a text that is too wide for a table.
  ///
  /// `whole` is not shortened, `cut` can be shortened to `least` columns, and `wrapped` is broken into several lines.
  package enum Fit: Sendable, Equatable {
    case whole
    case cut(least: Int)
    case wrapped

    package static let title = cut(least: 20)
    package static let text = cut(least: 10)
  }

  /// Creates a column with this key.
  /// - Parameters:
  ///   - key: The name in JSON and CSV. Its last word determines the format of numbers in tables.
  ///   - title: The heading in tables (default: the key).
  ///   - isExact: Whether tables show times instead of ages. It affects no other values.
  ///   - hasFractions: Whether tables show fractions of seconds.
  package init(
    _ key: String, title: String? = nil, alignment: Alignment = .automatic, fit: Fit = .whole, isExact: Bool = false,
    hasFractions: Bool = false
  ) {
    self.key = key
    self.title = title ?? key
    self.alignment = alignment
    self.fit = fit
    self.isExact = isExact
    self.hasFractions = hasFractions
    numbers =
      switch key.lowercased().split(separator: "_").last {
      case "id", "key", "number", "pid", "version", "year": .names
      case "score": .scores
      default: .counts
      }
  }

  func readable(_ cell: Cell) -> Cell {
    switch (cell, numbers) {
    case (.int(let value), .counts): .literal(HumanFormat.count(Int(value)))
    case (.int(let value), _): .literal(String(value))
    case (.number(let text), .counts): .literal(HumanFormat.grouped(text))
    case (.number(let text), .names): .literal(text)
    case (.number(let text), .scores): .literal(HumanFormat.twoDecimals(text))
    default: cell
    }
  }
}

struct TableLayout: Sendable, Equatable {
  var hidden: Set<String> = []
  /// Columns that are hidden if all their values are null.
  var hiddenIfEmpty: Set<String> = []
  /// Groups of columns. If a table is too wide, it omits these groups in order, and then the rightmost columns.
  var leaving: [[String]] = []
  /// The column whose texts move to separate lines below the rows if the terminal is too narrow.
  var below: String?
  /// Whether a narrow terminal cuts texts instead of omitting columns.
  var keepsAll = false
  var sectionKey: String?
  var sections: [String] = []
}

/// The rows of an answer, which `StandardStreams` prints as a table, JSON, JSON Lines or CSV.
///
/// Each row has one cell for each column, and the keys of columns are distinct.
///
/// The columns and rows are those of JSON. A listing also contains the changes for tables and CSV (`inTables` and
/// `inCSV`), so a command builds the same listing for all formats.
package struct Listing: Sendable {
  package let columns: [Column]
  package private(set) var rows: Rows<Cell>
  var emptyMessage: String
  var envelope: String?
  var layout = TableLayout()
  /// The page of a longer list that the listing shows.
  private(set) var part: (page: ListPage, request: PageRequest)?
  package var total: Int?
  var sectionTotals: [String: Int] = [:]
  /// Notes that follow a table.
  private(set) var hints: [String] = []
  /// A note that precedes a table.
  private(set) var introduction: String?
  /// Lines that a table has above its rows.
  private(set) var heading: (@Sendable (_ width: Int?) -> [String])?
  var changes: [OutputFormat: [Change]] = [:]
  private(set) var drawing: (@Sendable (Int) -> [StyledLine])?
  private(set) var isDrawnInPipes = false

  /// Creates a listing. Each row must have one cell for each column; otherwise the program stops. A number is added to
  /// duplicate keys, as in `count_2`.
  /// - Parameters:
  ///   - emptyMessage: The note in place of a table without rows.
  ///   - envelope: The member of a JSON object that has the rows; `nil` for a bare array.
  package init(
    columns: [Column], rows: [[Cell]] = [], emptyMessage: String = "Nothing to show.", envelope: String? = nil
  ) {
    precondition(rows.allSatisfy { $0.count == columns.count }, "a row needs one cell for each column")
    self.init(columns: columns, rows: Rows(rows), emptyMessage: emptyMessage, envelope: envelope)
  }

  /// Creates a listing from rows that are computed when they are read. Each row must have one cell for each column,
  /// which is not checked. Adds a number to duplicate keys (`count_2`), because a SQL report can return columns with
  /// the same name.
  package init(columns: [Column], rows: Rows<Cell>, emptyMessage: String, envelope: String? = nil) {
    var taken: Set<String> = []
    self.columns = columns.map { column in
      var unique = column
      var number = 2
      while !taken.insert(unique.key).inserted {
        unique.key = "\(column.key)_\(number)"
        number += 1
      }
      return unique
    }
    self.rows = rows
    self.emptyMessage = emptyMessage
    self.envelope = envelope
  }

  func with(_ column: Column, _ cells: [Cell], after neighbour: String) -> Listing {
    precondition(cells.count == rows.count, "a column needs one cell for each row")
    let place = (columns.firstIndex { $0.key == neighbour } ?? columns.count - 1) + 1
    var wider = columns
    wider.insert(column, at: place)
    let rows = zip(rows, cells).map { row, cell in
      var row = row
      row.insert(cell, at: place)
      return row
    }
    var listing = Listing(columns: wider, rows: rows, emptyMessage: emptyMessage, envelope: envelope)
    listing.layout = layout
    listing.changes = changes
    return listing
  }

  /// Returns a listing whose cells of the column with this key are replaced by `cell`.
  ///
  /// Returns the listing unchanged if it does not have the column.
  package func mapping(_ key: String, _ cell: @escaping @Sendable (Cell) -> Cell) -> Listing {
    mapping(key, beside: key) { value, _ in cell(value) }
  }

  func mapping(_ key: String, beside other: String, _ cell: @escaping @Sendable (Cell, Cell) -> Cell) -> Listing {
    guard let place = columns.firstIndex(where: { $0.key == key }) else { return self }
    let neighbour = columns.firstIndex { $0.key == other }
    var listing = self
    listing.rows = rows.mapped { row in
      var row = row
      row[place] = cell(row[place], neighbour.map { row[$0] } ?? .null)
      return row
    }
    return listing
  }

  func saying(_ words: [String: String], in key: String) -> Listing {
    mapping(key) { cell in
      if case .text(let word) = cell, let shown = words[word] { .text(shown) } else { cell }
    }
  }

  /// Returns a listing with another layout of its table. Each argument has keys of columns. JSON and CSV do not change.
  ///
  /// This method replaces the whole layout, sections included.
  /// - Parameters:
  ///   - hidden: Columns that tables never have.
  ///   - ifEmpty: Columns that are hidden if all their values are null.
  ///   - below: The column whose texts move to lines below the rows if the terminal is too narrow.
  ///   - leaving: Groups of columns that a table omits, in this order, while it is too wide. Afterwards it omits the
  ///     rightmost columns.
  package func laidOut(
    hiding hidden: Set<String> = [], ifEmpty: [String] = [], below: String? = nil, leaving: [String]...
  ) -> Listing {
    var listing = self
    listing.layout = TableLayout(hidden: hidden, hiddenIfEmpty: Set(ifEmpty), leaving: leaving, below: below)
    return listing
  }

  /// Returns a listing whose table has a heading for each text of `sections`, in this order.
  ///
  /// The column `key` has the section of a row. The table omits empty sections, and rows of other sections.
  ///
  /// Call this method after `laidOut`, which resets the sections.
  package func sectioned(by key: String, _ sections: [String]) -> Listing {
    var listing = self
    listing.layout.sectionKey = key
    listing.layout.sections = sections
    return listing
  }

  /// Returns a listing with a drawing that a terminal shows instead of the rows, unless the user chose `--no-plot`.
  ///
  /// - Parameter drawing: Returns the lines for a number of columns.
  package func drawn(_ options: PlotOptions, _ drawing: @escaping @Sendable (Int) -> [StyledLine]) -> Listing {
    var listing = self
    if !options.noPlot { listing.drawing = drawing }
    return listing
  }

  /// Returns a listing after which a command names the next page of the list.
  package func paged(_ page: ListPage, _ request: PageRequest) -> Listing {
    var listing = self
    listing.part = (page, request)
    return listing
  }

  /// Returns a listing with further notes, which follow a table.
  package func hinting(_ hints: [String]) -> Listing {
    var listing = self
    listing.hints += hints
    return listing
  }

  /// Returns a listing with a note that precedes a table.
  package func introduced(by note: String) -> Listing {
    inTables { table in
      var table = table
      table.introduction = note
      return table
    }
  }

  /// Returns a listing whose table has lines above its rows.
  ///
  /// - Parameter lines: Returns the lines for a width; `nil` means an unlimited width.
  package func headed(by lines: @escaping @Sendable (_ width: Int?) -> [String]) -> Listing {
    inTables { table in
      var table = table
      table.heading = lines
      return table
    }
  }

  func summarized(inPipes: Bool, _ drawing: @escaping @Sendable (Int) -> [StyledLine]) -> Listing {
    var listing = self
    listing.drawing = drawing
    listing.isDrawnInPipes = inPipes
    return listing
  }
}

/// The forms of a listing, with the words of the option `--format`.
package enum OutputFormat: String, CaseIterable, Sendable {
  case table, json, ndjson, csv
}

/// The properties of the output that change the text of a listing.
package struct RenderingOptions: Sendable, Equatable {
  /// `nil` if the width is unlimited, as in a pipe.
  package var width: Int?
  var hasColour = false
  var hasLinks = false
  var hasHeader = true
  /// The current time in seconds since 1970. If `nil`, tables show times instead of ages.
  var now: Int64?
  /// Whether the output is a terminal. If so, CSV contains escapes in place of unsafe characters.
  var isTerminal = false
  var guardsFormulas = true

  static let piped = RenderingOptions()
}

extension Listing {
  func render<Failure: Error>(
    as format: OutputFormat, options: RenderingOptions, emit: (String) throws(Failure) -> Void
  ) throws(Failure) {
    let form = form(in: format)
    switch format {
    case .table: try form.renderTable(options: options, emit: emit)
    case .json: try form.renderJSON(emit: emit)
    case .ndjson: try form.renderJSONLines(emit: emit)
    case .csv: try form.renderCSV(options: options, emit: emit)
    }
  }

  package var withJoinedLists: Listing {
    columns.reduce(self) { listing, column in
      listing.mapping(column.key) { cell in
        guard case .json(let text) = cell, let list = try? JSONDecoder().decode([String].self, from: Data(text.utf8))
        else { return cell }
        return .text(list.joined(separator: ", "))
      }
    }
  }

  func tells(_ key: String) -> Bool { values(of: key).contains { ![.null, .int(0)].contains($0) } }

  func values(of key: String) -> [Cell] {
    guard let place = columns.firstIndex(where: { $0.key == key }) else { return [] }
    return rows.map { $0[place] }
  }

  var turned: Listing {
    let values = rows.first ?? []
    return Listing(
      columns: [Column("field"), Column("value", alignment: .leading, fit: .wrapped, isExact: true)],
      rows: zip(columns, values).map { [.text($0.title), $0.readable($1)] }, emptyMessage: emptyMessage)
  }
}
