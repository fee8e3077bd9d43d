import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram

enum JikanTitles {
  struct Found: Sendable, Equatable {
    let id: Int64
    let fit: Fit
    let rank: SearchRank
    fileprivate let title: String
  }

  enum Fit: Sendable {
    case mainTitle, title
    case part
    case similar
  }

  /// Returns the matches, the best match first. Typing errors are tolerated only if no title contains the text as whole
  /// words.
  /// - Parameter toleratesErrors: Whether typing errors are tolerated at all.
  static func search(
    _ words: String, kind: String, toleratesErrors: Bool = true, in database: Database
  ) async throws -> [Found] {
    try await database.read { try search(words, kind: kind, toleratesErrors: toleratesErrors, $0) }
  }

  static func rows(_ found: [Found], kind: String, in database: Database) async throws -> RowSet {
    try await database.rows(
      QuerySQL.text("found", of: "jikan"), [.text(kind), .ints(found.map(\.id)), .texts(found.map(\.title))])
  }

  private struct Candidate {
    let id: Int64
    let match: TitleMatch
    let title: String
    let members: Int64
    let isVanished: Bool

    private var order: (Int, Int, Int, Int64, Int64, Int64) {
      let (kind, rest) = (match.closeness, Int64(match.rest))
      let isWhole = [.beginning, .wholeWords, .joinedWords].contains(kind)
      let (first, second) = isWhole ? (-members, rest) : (rest * 2 + (match.index == 0 ? 0 : 1), -members)
      return (kind.rawValue, isVanished ? 1 : 0, match.edits, first, second, id)
    }

    static func isBetter(_ one: Candidate, _ other: Candidate) -> Bool { one.order < other.order }
  }

  private static func search(
    _ text: String, kind: String, toleratesErrors: Bool, _ connection: borrowing PGConnection
  ) throws -> [Found] {
    let folded = try connection.query("SELECT jikan.fold($1)", [.text(text)]).text(row: 0, column: 0)
    let words = SearchWords(folded: folded ?? "")
    guard !words.letters.isEmpty else { return [] }
    var candidates = try candidates(
      words, kind: kind, [.texts(words.allPatterns), .text(words.lettersPattern)], connection
    ).filter { $0.match.closeness < .similar }
    if toleratesErrors, !candidates.contains(where: { $0.match.closeness <= .wholeWords }) {
      let listed = Set(candidates.map(\.id))
      candidates += try Self.candidates(words, kind: kind, [.texts(words.anyPatterns), .null], connection)
        .filter { !listed.contains($0.id) }
    }
    return candidates.sorted(by: Candidate.isBetter).map { candidate in
      let fit: Fit =
        switch candidate.match.closeness {
        case .same, .sameLetters: candidate.match.index == 0 ? .mainTitle : .title
        case _ where candidate.match.hasWords: .part
        default: .similar
        }
      return Found(id: candidate.id, fit: fit, rank: candidate.match.closeness.rank, title: candidate.title)
    }
  }

  private static func candidates(
    _ words: SearchWords, kind: String, _ patterns: [PGParameter], _ connection: borrowing PGConnection
  ) throws -> [Candidate] {
    try connection.query(QuerySQL.text("titles", of: "jikan"), [.text(kind)] + patterns).map { row -> Candidate? in
      let titles = Array((try row.text(1) ?? "").unicodeScalars).split(separator: "\n").map(Array.init)
      let best = titles.enumerated().compactMap { index, title in
        TitleMatch(words, title, index: index).map { (match: $0, title: title) }
      }.min { $0.match < $1.match }
      guard let best, let id = try row.int(0) else { return nil }
      return Candidate(
        id: id, match: best.match, title: String(String.UnicodeScalarView(best.title)), members: try row.int(2) ?? 0,
        isVanished: try row.bool(3) ?? false)
    }.compactMap { $0 }
  }
}

extension TitleMatch.Closeness {
  /// The rank among the hits of all sources.
  fileprivate var rank: SearchRank {
    switch self {
    case .same, .sameLetters: .exact
    case .beginning: .prefix
    case .wholeWords, .joinedWords: .word
    case .part, .allWords: .part
    case .nearlySame, .similar: .similar
    }
  }
}
