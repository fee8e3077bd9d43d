import SyncCore
import SyncProgram

enum JikanListChoice {
  /// - Returns: the upstream's name of the type; nil for all.
  static func subtype(_ word: String, of kind: JikanKind) throws(SyncError) -> String? {
    guard word == "all" || kind.subtypes.contains(word) else {
      throw SyncError.unknown("type of \(kind.rawValue)", word, ["all"] + kind.subtypes)
    }
    return word == "all" ? nil : word
  }

  /// - Returns: the upstream's name of a list with an order of its own; nil for the top list.
  static func list(_ word: String?, of kind: JikanKind) throws(SyncError) -> String? {
    guard let word else { return nil }
    guard kind.filters.contains(word) else { throw SyncError.unknown("list of \(kind.rawValue)", word, kind.filters) }
    return word
  }

  /// The words for statuses, and what the columns say. Jikan's enums: jikan-rest 4.2.2, `app/Enums`.
  static let statuses: [(word: String, kinds: [JikanKind: String])] = [
    ("airing", [.anime: "Currently Airing"]),
    ("publishing", [.manga: "Publishing"]),
    ("complete", [.anime: "Finished Airing", .manga: "Finished"]),
    ("hiatus", [.manga: "On Hiatus"]),
    ("discontinued", [.manga: "Discontinued"]),
    ("upcoming", [.anime: "Not yet aired", .manga: "Not yet published"]),
  ]

  /// - Returns: what the column says for a word, or for itself.
  static func status(_ word: String, of kind: JikanKind) throws(SyncError) -> String {
    let known = statuses.compactMap { status in status.kinds[kind].map { (word: status.word, label: $0) } }
    let wanted = word.lowercased()
    guard let status = known.first(where: { $0.word == wanted || $0.label.lowercased() == wanted }) else {
      throw SyncError.unknown("status of \(kind.rawValue)", word, known.map(\.word))
    }
    return status.label
  }

  static let ratings = ["G", "PG", "PG-13", "R", "R+", "Rx"]

  /// - Returns: what the column says before the hyphen, in lower case.
  static func rating(_ word: String) throws(SyncError) -> String {
    let head = word.lowercased().split(separator: " - ").first.map(String.init) ?? ""
    let known = ratings.map { $0.lowercased() }
    guard let rating = known.first(where: { $0.replacing("-", with: "") == head.replacing("-", with: "") }) else {
      throw SyncError.unknown("rating", word, ratings)
    }
    return rating
  }
}
