/// The current items of one kind, in the order of scores, and a record of their changes.
struct DriftedList {
  struct Item: Sendable {
    let index: Int
    let malID: Int
    /// The score in hundredths. Scores never increase along the list.
    var score: Int
  }

  private(set) var items: [Item] = []
  private(set) var removed: [Int: Item] = [:]
  private let catalogue: SimulatedCatalogue
  private var nextIndex = 0
  private(set) var requests = 0
  /// The number of page requests since the walk began, the ids listed at every request (nil before the first one), and
  /// the ids listed at any request.
  private var walkRequests = 0
  private var throughout: Set<Int>?
  private var sometimes: Set<Int> = []

  init(of catalogue: SimulatedCatalogue, count: Int) {
    self.catalogue = catalogue
    while items.count < count { items.append(newItem()) }
  }

  /// Uses the next approved row of the catalogue, because not every list shows unapproved ones.
  private mutating func newItem() -> Item {
    while !catalogue.row(nextIndex).isApproved { nextIndex += 1 }
    let row = catalogue.row(nextIndex)
    nextIndex += 1
    return Item(index: row.index, malID: row.malID, score: row.score ?? 0)
  }

  func row(of item: Item) -> JikanRow {
    var row = catalogue.row(item.index)
    row.rescored = item.score
    return row
  }

  mutating func insert(at place: Int) -> Int {
    let item = newItem()
    put(item, at: place)
    return item.malID
  }

  mutating func remove(_ malID: Int) {
    guard let place = items.firstIndex(where: { $0.malID == malID }) else { return }
    removed[malID] = items.remove(at: place)
  }

  mutating func restore(_ malID: Int, at place: Int) {
    guard let item = removed.removeValue(forKey: malID) else { return }
    put(item, at: place)
  }

  mutating func move(_ malID: Int, to place: Int) {
    guard let old = items.firstIndex(where: { $0.malID == malID }) else { return }
    put(items.remove(at: old), at: place)
  }

  /// Inserts an item with a score between those of its neighbours; at the end if `place` is beyond it.
  private mutating func put(_ item: Item, at place: Int) {
    let place = min(max(place, 0), items.count)
    var item = item
    let above = place > 0 ? items[place - 1].score : nil
    let below = place < items.count ? items[place].score : nil
    item.score = ((above ?? below ?? item.score) + (below ?? above ?? item.score)) / 2
    items.insert(item, at: place)
  }

  mutating func drift(_ drift: JikanDrift, by generator: inout some RandomNumberGenerator) {
    requests += 1
    guard drift.isFree else {
      let drawn = Double.random(in: 0..<1, using: &generator)
      if drawn < drift.insertions {
        insertSomething(by: &generator)
      } else if drawn < drift.insertions + drift.removals {
        removeSomething(by: &generator)
      } else if drawn < drift.insertions + drift.removals + drift.moves {
        moveSomething(by: &generator)
      }
      return
    }
    for _ in 0..<Self.count(drift.removals, by: &generator) { removeSomething(by: &generator) }
    for _ in 0..<Self.count(drift.insertions, by: &generator) { insertSomething(by: &generator) }
    for _ in 0..<Self.count(drift.moves, by: &generator) { moveSomething(by: &generator) }
  }

  private static func count(_ rate: Double, by generator: inout some RandomNumberGenerator) -> Int {
    Int(rate) + (Double.random(in: 0..<1, using: &generator) < rate - rate.rounded(.down) ? 1 : 0)
  }

  private mutating func insertSomething(by generator: inout some RandomNumberGenerator) {
    let place = Int.random(in: 0...items.count, using: &generator)
    if Int.random(in: 0..<4, using: &generator) == 0, let malID = removed.keys.sorted().randomElement(using: &generator)
    {
      return restore(malID, at: place)
    }
    _ = insert(at: place)
  }

  private mutating func removeSomething(by generator: inout some RandomNumberGenerator) {
    if let item = items.randomElement(using: &generator) { remove(item.malID) }
  }

  private mutating func moveSomething(by generator: inout some RandomNumberGenerator) {
    guard let item = items.randomElement(using: &generator) else { return }
    move(item.malID, to: Int.random(in: 0..<items.count, using: &generator))
  }

  mutating func beginWalk() {
    (walkRequests, throughout, sometimes) = (0, nil, [])
  }

  /// Records a page request. Call it after the page's changes.
  mutating func noteRequest() {
    walkRequests += 1
    let alive = items.lazy.map(\.malID)
    throughout = throughout?.intersection(alive) ?? Set(alive)
    sometimes.formUnion(alive)
  }

  var oracle: JikanOracle {
    let alive = Set(items.map(\.malID))
    return JikanOracle(
      throughout: throughout ?? alive, sometimes: sometimes, alive: alive, removed: Set(removed.keys),
      requests: walkRequests)
  }
}

/// The true contents of a changing list during a walk, which its reader cannot know.
package struct JikanOracle: Sendable, Equatable {
  /// Ids in the list at every page request since the walk began.
  package let throughout: Set<Int>
  /// Ids in the list at one or more of these requests.
  package let sometimes: Set<Int>
  package let alive: Set<Int>
  package let removed: Set<Int>
  package let requests: Int
}
