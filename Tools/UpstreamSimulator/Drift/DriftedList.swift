struct DriftedList {
  struct Item: Sendable {
    let index: Int
    let malID: Int
    /// The score in hundredths. Scores never increase along the list.
    var score: Int
  }

  private(set) var items: [Item] = []
  private var removed: [Int: Item] = [:]
  private let catalogue: SimulatedCatalogue
  private var nextIndex = 0
  private(set) var requests = 0

  init(of catalogue: SimulatedCatalogue, count: Int) {
    self.catalogue = catalogue
    while items.count < count { items.append(newItem()) }
  }

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

  mutating func remove(_ malID: Int) {
    guard let index = items.firstIndex(where: { $0.malID == malID }) else { return }
    removed[malID] = items.remove(at: index)
  }

  private mutating func put(_ item: Item, at index: Int) {
    let index = min(max(index, 0), items.count)
    var item = item
    let above = index > 0 ? items[index - 1].score : nil
    let below = index < items.count ? items[index].score : nil
    item.score = ((above ?? below ?? item.score) + (below ?? above ?? item.score)) / 2
    items.insert(item, at: index)
  }

  mutating func drift(_ drift: JikanDrift, by generator: inout some RandomNumberGenerator) {
    requests += 1
    let drawn = Double.random(in: 0..<1, using: &generator)
    if drawn < drift.insertions {
      insertSomething(by: &generator)
    } else if drawn < drift.insertions + drift.removals {
      removeSomething(by: &generator)
    } else if drawn < drift.insertions + drift.removals + drift.moves {
      moveSomething(by: &generator)
    }
  }

  private mutating func insertSomething(by generator: inout some RandomNumberGenerator) {
    let index = Int.random(in: 0...items.count, using: &generator)
    let isBack = Int.random(in: 0..<4, using: &generator) == 0
    let malID = isBack ? removed.keys.sorted().randomElement(using: &generator) : nil
    put(malID.flatMap { removed.removeValue(forKey: $0) } ?? newItem(), at: index)
  }

  private mutating func removeSomething(by generator: inout some RandomNumberGenerator) {
    if let item = items.randomElement(using: &generator) { remove(item.malID) }
  }

  private mutating func moveSomething(by generator: inout some RandomNumberGenerator) {
    guard let old = items.indices.randomElement(using: &generator) else { return }
    put(items.remove(at: old), at: Int.random(in: 0...items.count, using: &generator))
  }
}
