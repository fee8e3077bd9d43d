/// Rows are numbered by descending score. A row depends only on seed, kind, row number and revision. A row without a
/// score also depends on the list's length.
struct JikanRow: Sendable {
  let kind: SimulatedKind
  let index: Int
  let malID: Int
  let draws: Draws
  let isUnscored: Bool
  let revision: Int
  var hasTitledPicture = false
  var rescored: Int?
  var edits = JikanEdits()

  enum Aspect: Int {
    case type, status, rating, members, membersNoise, favorites, scoredBy, rank, rankNoise, zero, popularity
    case edition, approved, source, episodes, duration, year, yearNoise, month, day, span, precision, season
    case background, broadcast, trailer, image, titlePattern, titleFirst, titleSecond, titleSuffix, englishTitle
    case japaneseTitle, otherTitle, ornament, synopsisLength, synopsisExtra, bump, explicit, volumes
    case synonyms, producers, licensors, studios, genres, themes, demographics, authors, serializations, synopsis
  }

  func draw(_ aspect: Aspect, plus offset: Int = 0, below limit: Int) -> Int {
    draws.draw(aspect.rawValue * 1000 + offset, below: limit)
  }

  func chance(_ aspect: Aspect, perMille count: Int) -> Bool { draw(aspect, plus: 999, below: 1000) < count }

  func pick<T>(_ aspect: Aspect, plus offset: Int = 0, from choices: [T]) -> T {
    choices[draw(aspect, plus: offset, below: choices.count)]
  }

  /// The number of changes to the row's text: one in a hundred revisions.
  var edition: Int { (revision + edits.texts + 99 - draw(.edition, below: 100)) / 100 }

  var isRetitled: Bool { edits.titles.contains(malID) }

  private var bump: Int { revision * (1 + draw(.bump, below: 6)) }

  var type: JikanLabel? {
    guard kind == .manga || !chance(.type, perMille: 2) else { return nil }
    return JikanLabel.weighted(kind == .anime ? .animeTypes : .mangaTypes, draw(.type, below: 1000))
  }

  enum Status { case current, finished, upcoming, hiatus, discontinued }

  var status: Status {
    let drawn = draw(.status, below: 1000)
    if isUnscored, drawn < 300 { return .upcoming }
    switch kind {
    case .anime: return drawn > 980 ? .current : .finished
    case .manga:
      if drawn > 850 { return .current }
      return drawn > 820 ? .hiatus : drawn > 800 ? .discontinued : .finished
    }
  }

  var statusLabel: JSONFragment {
    switch (kind, status) {
    case (.anime, .current): "Currently Airing"
    case (.anime, .upcoming): "Not yet aired"
    case (.anime, _): "Finished Airing"
    case (.manga, .current): "Publishing"
    case (.manga, .finished): "Finished"
    case (.manga, .upcoming): "Not yet published"
    case (.manga, .hiatus): "On Hiatus"
    case (.manga, .discontinued): "Discontinued"
    }
  }

  var rating: JikanLabel? {
    guard !chance(.rating, perMille: 15) else { return nil }
    return JikanLabel.weighted(.ratings, draw(.rating, plus: 500, below: 1000))
  }

  var isApproved: Bool { !chance(.approved, perMille: 3) }

  var isExplicit: Bool { kind == .anime ? rating?.parameter == "rx" : chance(.explicit, perMille: 40) }

  /// The score in hundredths. As in the real lists, scores fall along the list, and many scores are equal.
  var score: Int? {
    guard !isUnscored else { return nil }
    return min(max((rescored ?? generatedScore) + edits.counters, 0), 1000)
  }

  private var generatedScore: Int {
    let knots = Self.scoreKnots
    guard let next = knots.firstIndex(where: { $0.row > index }), next > 0 else { return 300 }
    let (low, high) = (knots[next - 1], knots[next])
    return low.score - (low.score - high.score) * (index - low.row) / (high.row - low.row)
  }

  private static let scoreKnots: [(row: Int, score: Int)] = [
    (0, 937), (50, 890), (200, 841), (1000, 790), (3000, 735), (6000, 691), (10000, 640), (15000, 578),
    (25000, 510), (100_000, 420), (1_000_000, 301), (Int.max, 300),
  ]

  private var crowd: Int { index * (25 + draw(.membersNoise, below: 200)) / 100 + draw(.members, below: 50) }

  var members: Int { max(0, generatedMembers + edits.members + edits.counters) }

  private var generatedMembers: Int {
    chance(.zero, perMille: 1) && revision == 0 ? 0 : 100_000_000 / (40 + crowd) + bump
  }

  var popularity: Int {
    guard !chance(.popularity, perMille: 1) else { return 0 }
    return max(1, crowd + 1 + drift(modulus: 7) + edits.counters)
  }

  var favorites: Int {
    max(0, generatedMembers * draw(.favorites, below: 60) / 1000 + bump + edits.counters)
  }

  var scoredBy: Int? {
    guard !isUnscored else { return nil }
    return max(0, max(100, generatedMembers * (300 + draw(.scoredBy, below: 350)) / 1000) + bump + edits.counters)
  }

  var rank: Int? {
    guard !isUnscored, !chance(.rank, perMille: 15) else { return nil }
    guard !chance(.rankNoise, perMille: 1) else { return 0 }
    return max(1, max(1, index - 3 + draw(.rankNoise, plus: 500, below: 7) + drift(modulus: 5)) + edits.counters)
  }

  private func drift(modulus: Int) -> Int { revision * (1 + draw(.bump, below: modulus - 1)) % modulus }
}
