import SyncCore
import SyncProgram

enum JikanListChoice {
  static func subtype(_ word: String, of kind: JikanKind) throws(SyncError) -> String? {
    guard word == "all" || kind.subtypes.contains(word) else {
      throw SyncError.unknown("type of \(kind.rawValue)", word, ["all"] + kind.subtypes)
    }
    return word == "all" ? nil : word
  }

  /// The labels of types in the answers of the upstream, by the words of the parameter `type`, as in
  /// `jikan.type_label`.
  static let typeLabels = [
    "tv": "TV", "movie": "Movie", "ova": "OVA", "special": "Special", "ona": "ONA", "music": "Music", "cm": "CM",
    "pv": "PV", "tv_special": "TV Special", "manga": "Manga", "novel": "Novel", "lightnovel": "Light Novel",
    "oneshot": "One-shot", "doujin": "Doujinshi", "manhwa": "Manhwa", "manhua": "Manhua",
  ]

  static func list(_ word: String?, of kind: JikanKind) throws(SyncError) -> String? {
    guard let word else { return nil }
    guard kind.filters.contains(word) else { throw SyncError.unknown("list of \(kind.rawValue)", word, kind.filters) }
    return word
  }

  /// The words and labels are from jikan-rest 4.2.2, `app/Enums`.
  static let statuses: [(word: String, kinds: [JikanKind: String])] = [
    ("airing", [.anime: "Currently Airing"]),
    ("publishing", [.manga: "Publishing"]),
    ("complete", [.anime: "Finished Airing", .manga: "Finished"]),
    ("hiatus", [.manga: "On Hiatus"]),
    ("discontinued", [.manga: "Discontinued"]),
    ("upcoming", [.anime: "Not yet aired", .manga: "Not yet published"]),
  ]

  static func words(of kind: JikanKind) -> [String] { statuses.filter { $0.kinds[kind] != nil }.map(\.word) }

  static func status(_ word: String, of kind: JikanKind) throws(SyncError) -> String {
    let known = statuses.compactMap { status in status.kinds[kind].map { (word: status.word, label: $0) } }
    let wanted = word.lowercased()
    guard let status = known.first(where: { $0.word == wanted || $0.label.lowercased() == wanted }) else {
      throw SyncError.unknown("status of \(kind.rawValue)", word, known.map(\.word))
    }
    return status.label
  }

  static let ratings = ["G", "PG", "PG-13", "R", "R+", "Rx"]

  static func rating(_ word: String) throws(SyncError) -> String {
    let head = word.lowercased().split(separator: " - ").first.map(String.init) ?? ""
    let known = ratings.map { $0.lowercased() }
    guard let rating = known.first(where: { $0.replacing("-", with: "") == head.replacing("-", with: "") }) else {
      throw SyncError.unknown("rating", word, ratings)
    }
    return rating
  }
}
