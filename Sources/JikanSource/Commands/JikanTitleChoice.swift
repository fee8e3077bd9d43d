import Foundation
import SyncCore
import SyncPostgres
import SyncProgram

enum JikanTitleChoice {
  static func id(_ word: String, _ kind: JikanKind, in database: Database) async throws -> Int64 {
    let id = Int64(word)
    if let id, try await JikanCatalogue.knows(id, kind: kind.rawValue, in: database) { return id }
    let found = try await JikanTitles.search(word, kind: kind.rawValue, in: database)
    if let id, found.allSatisfy({ $0.fit == .similar }) { return id }
    guard !found.isEmpty else {
      throw try await missing(
        word, kind, "give a part of its title, or its id; after an upgrade, syncctl migrate derives the titles",
        in: database)
    }
    if let one = certain(found) { return one.id }
    let rows = try await JikanTitles.rows(Array(found.prefix(shown)), kind: kind.rawValue, in: database).namedRows
    // Some titles differ only in a sign, such as Gintama and Gintama°.
    let exact = rows.filter { $0["title"]?.lowercased() == word.lowercased() }
    if exact.count == 1, let id = exact[0].int("mal_id") { return Int64(id) }
    let candidates = rows.map { row in
      let facts = [row["type"], row["year"], row["match"]].compactMap(\.self).joined(separator: ", ")
      return (id: Int64(row["mal_id"] ?? "") ?? 0, text: "\(row.title)\(facts.isEmpty ? "" : " (\(facts))")")
    }
    let more = found.count > shown ? ", and \(HumanFormat.count(found.count - shown)) more" : ""
    let which = found.count == 1 ? "this \(kind.rawValue)" : "one of these \(kind.rawValue)\(more)"
    let message = "\(Excerpt.of(word, scalars: 60)) may be \(which)"
    if let chosen = try ask(message, candidates.map(\.text)) { return candidates[chosen].id }
    let width = candidates.map { "\($0.id)".utf8.count }.max() ?? 0
    throw SyncError(
      .usage, message, hint: "give the id",
      exhibit: candidates.map { "\(TerminalText.pad("\($0.id)", to: width, trailing: true))  \($0.text)" })
  }

  /// - Throws: `SyncError` `.missing` with the known reason if the mirror has no document.
  static func entry(_ id: Int64, _ kind: JikanKind, in database: Database) async throws -> RowSet {
    let rows = try await JikanCatalogue.entry(kind: kind.rawValue, id: id, in: database)
    guard rows.rows.isEmpty else { return rows }
    let why = try await JikanCatalogue.notMirrored(id, kind: kind.rawValue, in: database)
    guard let why else {
      throw try await missing(
        "\(id)", kind, "syncctl \(kind.rawValue) search WORDS finds one by its title", in: database)
    }
    throw SyncError(
      .missing, "\(kind.rawValue) \(id) is not mirrored: \(Excerpt.of(why))",
      hint: "a run stores it once the service sends it in a usable form")
  }

  static func missing(
    _ word: String, _ kind: JikanKind, _ hint: String, in database: Database
  ) async throws -> SyncError {
    let isEmpty = try await JikanCatalogue.isEmpty(kind, in: database)
    return SyncError(
      .missing, "the mirror has no \(kind.rawValue) \(isEmpty ? "yet" : Excerpt.of(word, scalars: 60))",
      hint: isEmpty ? "syncctl run --source jikan fetches the top lists" : hint)
  }

  static func certain(_ found: [JikanTitles.Found]) -> JikanTitles.Found? {
    for fits: [JikanTitles.Fit] in [[.mainTitle], [.mainTitle, .title], [.mainTitle, .title, .part]] {
      let fitting = found.filter { fits.contains($0.fit) }
      if fitting.count == 1 { return fitting[0] }
      if !fitting.isEmpty { return nil }
    }
    return nil
  }

  private static let shown = 10

  private static func ask(_ message: String, _ texts: [String]) throws -> Int? {
    let streams = StandardStreams()
    guard SystemTerminal.isTerminal(0), streams.error.isTerminal else { return nil }
    streams.note("\(message):")
    let width = "\(texts.count)".utf8.count
    for (index, text) in texts.enumerated() {
      streams.note("\(TerminalText.pad("\(index + 1)", to: width, trailing: true))  \(text)")
    }
    streams.note("Which one (1 to \(texts.count))?")
    guard let number = readLine().flatMap({ Int($0.trimmingCharacters(in: .whitespaces)) }),
      texts.indices.contains(number - 1)
    else {
      throw SyncError(.usage, "no title was chosen", hint: "enter one of the numbers, or give the id as an argument")
    }
    return number - 1
  }
}
