import SyncCore
import SyncTestKit

struct DriftSettings: CustomStringConvertible {
  enum Kind: String, CaseIterable {
    /// A list is ordered by score.
    case list
    /// A catalogue is ordered by id.
    case catalogue
  }

  enum Mode: String, CaseIterable {
    /// Between two requests, at most one change happens. Every page has the true total, so a walk can notice each
    /// change.
    case shown
    /// Several changes can happen between two requests. A page's claims about the list can be wrong or missing.
    case free
  }

  enum Claims: CaseIterable {
    case full
    /// The claimed number of the last page is too high by one, as in real lists.
    case onePageTooMany
    case noFlag
    case noLastPage
    case total
    case lastPage
    case nothing
  }

  enum Loop {
    case repeating(from: Int, asPage: Int)
    case ignoresPage
  }

  /// The possible average numbers of changes between two requests.
  static let rates = [0, 0.01, 0.05, 0.2, 0.5, 1]

  let kind: Kind
  let mode: Mode
  let pageSize: Int
  let count: Int
  let rate: Double
  /// Whether a new score moves an item by only a few places.
  let isLocal: Bool
  let scores: Int
  let shufflesTies: Bool
  /// The share of items that occur twice in the list.
  let twins: Double
  let areTwinsNeighbours: Bool
  let claims: Claims
  /// The difference between the claimed and the true total.
  let lie: Int
  let missingClaims: Double
  let earlyEnds: Double
  /// Whether a page after the end of the list is empty instead of 404.
  let endsEmpty: Bool
  let shortPages: Double
  let emptyPages: Double
  let failedPages: Double
  let loop: Loop?
  let pageCap: Int?
  let isCapKnown: Bool

  /// - Parameter isLong: Whether the list is so long (60 pages) that a walk repeats only the pages near a change.
  init(_ generator: inout SeededGenerator, isLong: Bool = false) {
    func happens(_ chance: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < chance }
    func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    kind = happens(0.7) || isLong ? .list : .catalogue
    mode = happens(0.6) || isLong ? .shown : .free
    let isFree = mode == .free
    pageSize =
      isLong
      ? pick(2...4)
      : kind == .list ? (happens(0.7) ? pick(2...8) : pick(2...50)) : (happens(0.8) ? pick(10...16) : pick(10...50))
    count =
      isLong ? pageSize * pick(60...120) : happens(0.7) ? pick(0...90) : happens(0.8) ? pick(0...200) : pick(0...600)
    // A long list changes less often between two requests, because its walk takes more requests.
    rate = Self.rates[pick(0...(isLong ? 2 : Self.rates.count - 1))] * (isFree && happens(0.2) ? 3 : 1)
    isLocal = happens(0.3)
    scores = happens(0.3) ? max(1, count / 3) : 1_000_000
    shufflesTies = happens(isFree ? 0.5 : 0.2)
    twins = happens(0.25) ? 0.04 : 0
    areTwinsNeighbours = kind == .catalogue || happens(0.8)
    let told: [Claims] = [.full, .full, .onePageTooMany, .noFlag, .noLastPage, .total]
    claims = isFree && happens(0.2) ? Claims.allCases[pick(0...Claims.allCases.count - 1)] : told[pick(0...5)]
    lie = isFree && happens(0.1) ? pick(-5...5) : 0
    missingClaims = isFree && happens(0.1) ? 0.1 : 0
    earlyEnds = happens(0.1) ? 0.1 : 0
    endsEmpty = happens(0.5)
    shortPages = happens(0.1) ? 0.05 : 0
    emptyPages = happens(0.1) ? 0.03 : 0
    failedPages = happens(0.05) ? 0.03 : 0
    let pages = max(1, count / pageSize)
    loop =
      happens(0.96) ? nil : happens(0.3) ? .ignoresPage : .repeating(from: pick(2...pages + 2), asPage: pick(1...pages))
    pageCap = happens(kind == .catalogue ? 0.3 : 0.04) ? pick(max(1, pages / 3)...pages + 3) : nil
    isCapKnown = happens(0.5)
  }

  var isHonest: Bool {
    lie == 0 && missingClaims == 0 && earlyEnds == 0 && shortPages == 0 && emptyPages == 0 && failedPages == 0
      && loop == nil && (pageCap == nil || kind == .catalogue)
  }

  var tellsTotal: Bool { claims != .lastPage && claims != .nothing && missingClaims == 0 && lie >= 0 }

  var description: String {
    """
    \(kind) \(mode), \(count) items in pages of \(pageSize), rate \(rate)\(isLocal ? " local" : ""), scores \(scores)\
    \(shufflesTies ? " shuffled" : ""), twins \(twins)\(areTwinsNeighbours ? " adjacent" : ""), claims \(claims) \
    lie \(lie) missing \(missingClaims) early \(earlyEnds), \(endsEmpty ? "ends empty" : "ends 404"), \
    short \(shortPages) empty \(emptyPages) failed \(failedPages), loop \(loop.map { "\($0)" } ?? "none"), \
    cap \(pageCap.map(String.init) ?? "none")\(isCapKnown ? " known" : "")
    """
  }
}
