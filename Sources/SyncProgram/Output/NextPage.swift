package import ArgumentParser
package import SyncCore
package import SyncPostgres

/// The value of the option `--after`: a whole number from 0 is an id, and any other valid text is a cursor.
package struct After: ExpressibleByArgument {
  package let start: PageStart

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

/// The options `--after` and `--page` of commands that print a long list. `size` checks them.
package struct PageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Continue after this cursor, or after the entry with this id.", valueName: "cursor|id"))
  package var after: After?

  @Option(help: ArgumentHelp("Page number, from 1.", valueName: "n"))
  package var page: Int?

  package init() {}

  /// Returns the number of rows on a page, from the command's option for the limit; `nil` for 0, which means all.
  ///
  /// Call this method before `read`, because it checks the options.
  ///
  /// - Throws: `SyncError` `.usage` if a number is out of range, or if the options contradict each other.
  package func size(_ limit: Int, option: String = "--limit") throws(SyncError) -> Int? {
    let size = try Bounds.limit(limit, option: option)
    guard let page else { return size }
    if after != nil { throw SyncError(.usage, "--page and --after cannot be combined", hint: "give one of them") }
    guard (1...100_000).contains(page) else {
      throw SyncError(.usage, "--page \(page) is out of range", hint: "give 1 or more")
    }
    if size == nil, page > 1 {
      throw SyncError(.usage, "without \(option), page 1 has everything", hint: "add \(option) 20, or omit --page")
    }
    return size
  }

  /// Reads a page. `--page` skips the rows before the page; the pages of `--after` follow one another without gaps.
  /// - Parameter size: The number of rows on a page; `nil` for all rows.
  /// - Throws: `SyncError` `.missing` if the page is after the last page.
  package func read<Answer: PagedAnswer>(
    _ size: Int?, isTable: Bool, _ answer: (Int?, PageStart?) async throws -> Answer
  ) async throws -> (Answer, PageTurn) {
    var turn = PageTurn(number: after == nil ? page ?? 1 : nil, size: size, start: after?.start)
    turn.isNumbered = after == nil && isTable && StandardStreams().output.isTerminal
    if let number = turn.number, number > 1, let size { turn.start = .offset((number - 1) * size) }
    let found = try await answer(size, turn.start)
    if let number = turn.number, number > 1, let size, found.page.rows.rows.isEmpty,
      let total = try await answer(1, nil).page.total, total > 0
    {
      throw Self.missing(number, total, size)
    }
    return (found, turn)
  }

  private static func missing(_ number: Int, _ total: Int, _ size: Int) -> SyncError {
    let (results, last) = (HumanFormat.counted(total, "result"), (total + size - 1) / size)
    return SyncError(
      .missing,
      "there is no page \(HumanFormat.count(number)): \(results) are on \(HumanFormat.counted(last, "page"))",
      hint: "--page \(last) shows the last of them")
  }
}

/// The page that a command prints: its number, if the user did not give `--after`, its size and its start.
package struct PageTurn: Sendable {
  let number: Int?
  let size: Int?
  package var start: PageStart?
  /// Whether the next page is named by its number, not by a cursor.
  var isNumbered = false

  /// For example, `page 2 of 5, 93 results`. Returns `nil` for a single page, or if `NextPage.line` already shows the
  /// page.
  package func remark(total: Int) -> String? {
    guard !isNumbered, let number, let size, total > size else { return nil }
    let last = HumanFormat.count((total + size - 1) / size)
    return "page \(HumanFormat.count(number)) of \(last), \(HumanFormat.counted(total, "result"))"
  }
}

enum NextPage {
  static let replaced = ["--after": 1, "--page": 1]

  static func command(
    _ arguments: [String], after cursor: PageCursor, replacing replaced: [String: Int] = [:]
  ) -> String {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let kept = words(arguments[..<end], without: replaced.merging(Self.replaced) { $1 })
    return (["syncctl"] + kept + ["--after", cursor.description] + arguments[end...]).map(\.shellWord)
      .joined(separator: " ")
  }

  static func words(
    _ arguments: ArraySlice<String> = CommandLine.arguments.dropFirst(), without replaced: [String: Int]
  ) -> [String] {
    var (words, rest): ([String], ArraySlice<String>) = ([], arguments)
    while let word = rest.popFirst() {
      if let following = replaced[word] {
        rest = rest.dropFirst(following)
      } else if !replaced.keys.contains(where: { word.hasPrefix("\($0)=") }) {
        words.append(word)
      }
    }
    return words
  }

  /// For example, `1–20 of 1,991 · next: --page 2`. Returns `nil` if there is only one page.
  static func line(_ number: Int, size: Int, rows: Int, total: Int?, hasNext: Bool) -> String? {
    guard rows > 0, hasNext || number > 1 else { return nil }
    let first = (number - 1) * size + 1
    let range = HumanFormat.count(first) + Glyphs.shown("–") + HumanFormat.count(first + rows - 1)
    let all = total.map { " of \(HumanFormat.count($0))" } ?? ""
    return range + all + (hasNext ? Glyphs.shown(" · next: ") + "--page \(number + 1)" : "")
  }
}

extension StandardStreams {
  /// Notes the page's rows and the next page's number, or the command that prints the next page.
  ///
  /// Prints nothing if the list has a single page, or on the last page of a list without page numbers.
  ///
  /// - Parameter replaced: Options that the command of the next page omits, with the number of their values.
  package func noteNext(_ page: ListPage, _ turn: PageTurn, replacing replaced: [String: Int] = [:]) {
    if turn.isNumbered, let number = turn.number {
      let (size, rows) = (turn.size ?? 0, page.rows.rows.count)
      let line = NextPage.line(number, size: size, rows: rows, total: page.total, hasNext: page.next != nil)
      if let line { note(line) }
    } else if let cursor = page.next {
      let arguments = Array(CommandLine.arguments.dropFirst())
      note(unbroken: "next: \(NextPage.command(arguments, after: cursor, replacing: replaced))")
    }
  }

  /// Notes that `--limit` hides rows. Prints nothing if the total is unknown or all rows are shown.
  package func noteCut(_ shown: Int, of total: Int?) {
    guard let total, total > shown else { return }
    note("\(HumanFormat.count(shown)) of \(HumanFormat.count(total)); --limit 0 shows all")
  }

  /// Notes each reason why a published list can be wrong.
  ///
  /// - Parameter noun: The word for one entry of the list.
  package func noteDoubts(_ doubts: [ListDoubt], of noun: String) {
    for doubt in doubts { note(doubt.text(of: noun)) }
  }
}

extension ListDoubt {
  /// - Parameter noun: The word for one entry of the list.
  package func text(of noun: String) -> String {
    let what = hasMoved ? "moving" : "incomplete"
    let unread = unread.map { $0 == 0 ? "the order may be wrong" : "\(HumanFormat.counted($0, noun)) unread" }
    return "list was \(what): \(unread ?? "\(noun)s may be unread") (published at \(publishedAt))"
  }
}
