package import ArgumentParser
package import SyncCore
package import SyncPostgres

/// The value of the option `--after`: a whole number from 0 is an id, and any other valid text is a cursor.
package struct After: ExpressibleByArgument {
  package let start: PageStart

  /// Returns `nil` for a negative number, and for a text that is not a cursor. The option's parser then reports the
  /// text.
  package init?(argument: String) {
    if let id = Int64(argument), id >= 0 {
      start = .id(id)
    } else if let cursor = PageCursor(argument) {
      start = .cursor(cursor)
    } else {
      return nil
    }
  }
}

/// The number of rows that a command prints without `--limit`.
package protocol StandardLimit: Sendable {
  /// 0 means all rows.
  static var rows: Int { get }
}

/// A standard limit of 20 rows.
package enum TwentyRows: StandardLimit {
  package static let rows = 20
}

/// A standard limit that prints all rows.
package enum AllRows: StandardLimit {
  package static let rows = 0
}

/// The option `--limit` of commands that print a list.
package struct LimitOptions<Standard: StandardLimit>: ParsableArguments {
  static var help: ArgumentHelp { ArgumentHelp("Maximum number of rows; 0 for all.", valueName: "n") }

  @Option(name: [.customLong("limit"), .customShort("n")], help: Self.help)
  var limit = Standard.rows

  package init() {}

  /// Returns the maximum number of rows; `nil` for all. Throws `SyncError` `.usage` if the number is out of range.
  package func rows() throws(SyncError) -> Int? { try Bounds.limit(limit) }
}

/// The options `--limit`, `--after` and `--page` of commands that print a long list.
///
/// They are not groups of options, because debug builds validate the groups in a group five times for each parsed
/// command line.
package struct PagedLimitOptions<Standard: StandardLimit>: ParsableArguments {
  @Option(name: [.customLong("limit"), .customShort("n")], help: LimitOptions<Standard>.help)
  var limit = Standard.rows

  @Option(help: PageOptions.afterHelp)
  var after: After?

  @Option(help: PageOptions.pageHelp)
  var page: Int?

  package init() {}

  /// Checks the options, and returns the page that they ask for. Throws the errors of
  /// `PageOptions.request(rows:option:)`.
  package func request() throws(SyncError) -> PageRequest {
    try PageRequest(after: after, page: page, rows: limit, option: "--limit")
  }
}

/// The options `--after` (a cursor or an id) and `--page` (a page number from 1) of commands that print a long list.
/// They exclude each other. `request(rows:option:)` checks them.
package struct PageOptions: ParsableArguments {
  static var afterHelp: ArgumentHelp {
    ArgumentHelp("Continue after this cursor, or after the entry with this id.", valueName: "cursor|id")
  }
  static var pageHelp: ArgumentHelp { ArgumentHelp("Page number, from 1.", valueName: "n") }

  @Option(help: Self.afterHelp)
  package var after: After?

  @Option(help: Self.pageHelp)
  package var page: Int?

  package init() {}

  /// Checks the options, and returns the page that they ask for (default: the first page).
  ///
  /// - Parameters:
  ///   - rows: The number of rows on a page; 0 for all.
  ///   - option: The command's option for the number of rows.
  /// - Throws: `SyncError` `.usage` if a number is out of range, or if the options contradict each other.
  package func request(rows: Int, option: String = "--limit") throws(SyncError) -> PageRequest {
    try PageRequest(after: after, page: page, rows: rows, option: option)
  }
}

/// The part of a long list that the user asks for. Its values are checked.
package struct PageRequest: Sendable {
  /// The page's number, from 1; `nil` with `--after`.
  let number: Int?
  /// The number of rows on a page; `nil` for all rows.
  let size: Int?
  /// The place where the page begins; `nil` for the first page.
  package let start: PageStart?
  /// Whether a terminal can name the next page by its number, not by a cursor.
  package var isNumbered: Bool

  init(number: Int?, size: Int?, start: PageStart? = nil) {
    self.number = number
    self.size = size
    self.start = start
    isNumbered = number != nil
  }

  /// Checks the values of the options, as `PageOptions.request(rows:option:)` does.
  fileprivate init(after: After?, page: Int?, rows: Int, option: String) throws(SyncError) {
    let size = try Bounds.limit(rows, option: option)
    guard let page else {
      self.init(number: after == nil ? 1 : nil, size: size, start: after?.start)
      return
    }
    if after != nil { throw SyncError(.usage, "--page and --after cannot be combined", hint: "give one of them") }
    guard (1...100_000).contains(page) else {
      throw SyncError(.usage, "--page \(page) is out of range", hint: "give 1 or more")
    }
    if size == nil, page > 1 {
      throw SyncError(.usage, "without \(option), page 1 has everything", hint: "add \(option) 20, or omit --page")
    }
    self.init(number: page, size: size, start: page > 1 ? size.map { .offset((page - 1) * $0) } : nil)
  }

  /// Reads the page. `--page` skips the rows before the page; the pages of `--after` follow one another without gaps.
  /// - Parameter answer: Reads a number of rows, `nil` for all, from a place, `nil` for the first row. If a page with a
  ///   number above 1 is empty, `answer` is called again for the first row, to find the total number of rows.
  /// - Throws: `SyncError` `.missing` if the page is after the last page and the second answer has a `total` above 0.
  ///   With another total, an empty page is returned.
  package func read<Answer: PagedAnswer>(_ answer: (Int?, PageStart?) async throws -> Answer) async throws -> Answer {
    let found = try await answer(size, start)
    if let number, number > 1, let size, found.page.rows.rows.isEmpty,
      let total = try await answer(1, nil).page.total, total > 0
    {
      throw Self.missing(number, total, size)
    }
    return found
  }

  private static func missing(_ number: Int, _ total: Int, _ size: Int) -> SyncError {
    let (results, last) = (HumanFormat.counted(total, "result"), (total + size - 1) / size)
    return SyncError(
      .missing,
      "there is no page \(HumanFormat.count(number)): \(results) are on \(HumanFormat.counted(last, "page"))",
      hint: "--page \(last) shows the last of them")
  }

  /// For example, `page 2 of 5, 93 results`. Returns `nil` for a single page, and with `--after`.
  func remark(total: Int) -> String? {
    guard let number, let size, total > size else { return nil }
    let last = HumanFormat.count((total + size - 1) / size)
    return "page \(HumanFormat.count(number)) of \(last), \(HumanFormat.counted(total, "result"))"
  }
}
