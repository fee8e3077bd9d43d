import SyncCore
import SyncProgram
import SyncWeb

/// The numbers and facts of an entry's page, with links to the rankings and lists that contain the entry.
struct JikanEntryFacts {
  let text: MediaText
  let kind: JikanKind

  /// The large numbers, for the partial `shared/numbers`. The words below a number have its change since a month ago.
  var numbers: WebValue {
    let row = text.row
    let score = ["score", text.scoredBy.map { "by \($0)" }].compactMap(\.self).joined(separator: " ")
    func label(_ words: String, _ change: String?) -> String { change.map { "\(words), \($0)" } ?? words }
    return .numbers([
      (label(score, text.scoreChange), row["score"].map { HumanFormat.twoDecimals($0) }),
      (label("rank", text.rankChange.map { "was \($0)" }), row.int("rank").map { "#\(HumanFormat.count($0))" }),
      (label("members", text.membersChange), row.int("members").map { HumanFormat.count($0) }),
    ])
  }

  /// The facts, for the partial `shared/facts`.
  var facts: WebValue { .facts(form + dates + links + lists) }

  private typealias Fact = (label: String, values: [WebFact])

  private var form: [Fact] {
    let row = text.row
    let type = row["type"].map { [WebFact($0, to: ranking("type", typeWord(of: $0)))] } ?? []
    let status = row["status"].map { [WebFact($0, to: ranking("status", statusWord(of: $0)))] } ?? []
    let counts = [("episodes", "episodes"), ("volumes", "volumes"), ("chapters", "chapters")].map { column, label in
      plain(label, row.int(column).map { HumanFormat.count($0) })
    }
    let rating = row["rating"].map { rating in
      [WebFact(rating, to: (try? JikanListChoice.rating(rating)).flatMap { ranking("rating", $0) })]
    }
    return [("type", type)] + counts + [
      ("status", status), plain("length", row["duration"]), plain("source", row["source"]), ("rating", rating ?? []),
    ]
  }

  private var dates: [Fact] {
    let row = text.row
    let season = JikanSeason.named([row["year"] ?? "", row["season"] ?? ""]).first
    let broadcast = row["broadcast"].map { text in
      [WebFact(text, to: row.isTrue("ongoing") ? "/airing" : nil)]
    }
    return [
      plain(kind == .anime ? "aired" : "published", row["dates"]),
      ("season", season.map { [WebFact($0.title, to: $0.path)] } ?? []), ("broadcast", broadcast ?? []),
    ]
  }

  private var links: [Fact] {
    func genres(_ column: String) -> Fact { (column, text.names(column).map { WebFact($0, to: ranking("genre", $0)) }) }
    let makers = text.names(kind == .anime ? "studios" : "authors").map { WebFact($0, to: kind.path(ofMaker: $0)) }
    return [
      (kind == .anime ? "studios" : "authors", makers),
      ("magazines", text.names("serializations").map { WebFact($0) }), genres("genres"), genres("themes"),
      genres("demographics"),
    ]
  }

  private var lists: [Fact] {
    let places = text.places.map { place in
      let path = JikanList.named(place.list).first?.path(at: place.position)
      return WebFact(place.text, to: path.map { "\($0)#\(WebRequest.anchor(of: text.row.id, kind: kind.rawValue))" })
    }
    let collections = text.names("collections").map { name in
      WebFact(name, to: WebPath("/favorites").with("collection", name).text)
    }
    let row = text.row
    return [
      ("in lists", places), ("collections", collections),
      plain("popularity", row.int("popularity").map { "#\(HumanFormat.count($0))" }),
      plain("favorites", text.favorites), plain("removed", text.removed),
      plain("other titles", otherTitles.joined(separator: ", ")),
    ]
  }

  /// The titles that the page does not show below its heading.
  private var otherTitles: [String] {
    let shown = ["title_english", "title_japanese"].compactMap { text.row[$0] }
    return text.otherTitles.filter { !shown.contains($0) }
  }

  private func plain(_ label: String, _ text: String?) -> Fact { (label, text.map { [WebFact($0)] } ?? []) }

  private func ranking(_ name: String, _ word: String?) -> String? {
    word.map { kind.rankingPath.with(name, $0).text }
  }

  private func typeWord(of label: String) -> String? {
    kind.subtypes.first { JikanListChoice.typeLabels[$0] == label }
  }

  private func statusWord(of label: String) -> String? {
    JikanListChoice.statuses.first { $0.kinds[kind] == label }?.word
  }
}
