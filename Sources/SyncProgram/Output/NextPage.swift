import SyncCore
package import SyncPostgres

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
  /// - Parameters:
  ///   - results: The number of rows on all pages, if it must be noted even without a page number of the next page.
  ///   - replaced: Options that the command of the next page omits, with the number of their values.
  package func noteNext(
    _ page: ListPage, _ request: PageRequest, _ output: FormatOptions, of results: Int? = nil,
    replacing replaced: [String: Int] = [:]
  ) {
    let isNumbered = request.isNumbered && output.format == .table && self.output.isTerminal
    if isNumbered, let number = request.number {
      let (size, rows) = (request.size ?? 0, page.rows.rows.count)
      let line = NextPage.line(number, size: size, rows: rows, total: page.total, hasNext: page.next != nil)
      if let line { note(line) }
      return
    }
    if let results, let remark = request.remark(total: results) { note(remark) }
    guard let cursor = page.next else { return }
    let arguments = Array(CommandLine.arguments.dropFirst())
    note(unbroken: "next: \(NextPage.command(arguments, after: cursor, replacing: replaced))")
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
  /// Returns a sentence for the user about the doubt, such as "list was moving: …".
  /// - Parameter noun: The word for one entry of the list.
  package func text(of noun: String) -> String {
    let what = hasMoved ? "moving" : "incomplete"
    let unread = unread.map { $0 == 0 ? "the order may be wrong" : "\(HumanFormat.counted($0, noun)) unread" }
    return "list was \(what): \(unread ?? "\(noun)s may be unread") (published at \(publishedAt))"
  }
}
