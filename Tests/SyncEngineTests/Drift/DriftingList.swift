import SyncCore
import SyncEngine
import SyncTestKit

struct DriftingList {
  struct Entry {
    let id: Int64
    let score: Int
  }

  private(set) var settings: DriftSettings
  private var generator: SeededGenerator
  private(set) var entries: [Entry] = []
  private var copies: [Int64: Int] = [:]
  /// Ids that have always been in the list since `watch()` was called.
  private(set) var throughout: Set<Int64> = []
  private(set) var gone: [Int64] = []
  /// Ids that were added, or added again, since `watch()` was called.
  private(set) var appeared: Set<Int64> = []
  private var highest: Int64 = 0
  private(set) var changes = 0
  private(set) var faults = 0
  private(set) var requests = 0
  /// The number of the first request after the removal, by removed id.
  private(set) var removedBefore: [Int64: Int] = [:]
  private(set) var log: [String]?

  init(_ settings: DriftSettings, _ generator: SeededGenerator, keepsLog: Bool = false) {
    self.settings = settings
    self.generator = generator
    log = keepsLog ? [] : nil
    highest = Int64(3 * settings.count + 30)
    for _ in 0..<settings.count {
      let entry = insert()
      if happens(settings.twins) {
        place(Entry(id: entry.id, score: settings.areTwinsNeighbours ? entry.score : randomScore()))
      }
    }
    watch()
  }

  mutating func watch() {
    throughout = Set(copies.keys)
    appeared = []
    changes = 0
    faults = 0
  }

  var ids: Set<Int64> { Set(copies.keys) }
  var repeats: Int { entries.count - copies.count }
  func contains(_ id: Int64) -> Bool { copies[id] != nil }

  var hasTwinsAcrossPages: Bool {
    var pages: [Int64: Int] = [:]
    for (place, entry) in entries.enumerated() {
      let page = place / settings.pageSize
      if pages.updateValue(page, forKey: entry.id).map({ $0 != page }) ?? false { return true }
    }
    return false
  }

  private mutating func happens(_ chance: Double) -> Bool {
    chance > 0 && Double.random(in: 0..<1, using: &generator) < chance
  }

  private mutating func note(_ text: @autoclosure () -> String) {
    if log != nil { log?.append(text()) }
  }

  mutating func drift(_ rate: Double? = nil) {
    var left = rate ?? settings.rate
    if settings.mode == .shown {
      if happens(left) { change() }
      return
    }
    while left > 0 {
      if happens(min(left, 1) / 2) { change() }
      if happens(min(left, 1) / 2) { change() }
      left -= 1
    }
  }

  mutating func change() {
    changes += 1
    let kinds = settings.kind == .catalogue ? 1 : 2
    switch Int.random(in: 0...kinds, using: &generator) {
    case 0: insert()
    case 1: if let place = randomPlace() { remove(at: place) }
    default: if let place = randomPlace() { move(from: place) }
    }
  }

  mutating func shrink(by count: Int) {
    for _ in 0..<count {
      if let place = randomPlace() { remove(at: place) }
    }
  }

  private mutating func randomPlace() -> Int? {
    entries.isEmpty ? nil : Int.random(in: entries.indices, using: &generator)
  }

  private mutating func randomScore() -> Int { Int.random(in: 0..<settings.scores, using: &generator) }

  @discardableResult
  private mutating func insert() -> Entry {
    var id: Int64
    if !gone.isEmpty, happens(0.3) {
      id = gone.remove(at: Int.random(in: gone.indices, using: &generator))
    } else {
      repeat { id = Int64.random(in: 1...highest, using: &generator) } while copies[id] != nil || gone.contains(id)
      highest += 2
    }
    let entry = Entry(id: id, score: randomScore())
    place(entry)
    appeared.insert(id)
    return entry
  }

  private mutating func place(_ entry: Entry) {
    let comesBefore: (Entry) -> Bool = settings.kind == .list ? { $0.score > entry.score } : { $0.id < entry.id }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if comesBefore(entries[middle]) { low = middle + 1 } else { high = middle }
    }
    entries.insert(entry, at: low)
    removedBefore[entry.id] = nil
    copies[entry.id, default: 0] += 1
    note("  + \(entry.id) at place \(low + 1)")
  }

  @discardableResult
  private mutating func remove(at place: Int, isMove: Bool = false) -> Entry {
    let entry = entries.remove(at: place)
    copies[entry.id, default: 1] -= 1
    if copies[entry.id] == 0 {
      copies[entry.id] = nil
      if !isMove {
        throughout.remove(entry.id)
        removedBefore[entry.id] = requests
        gone.append(entry.id)
      }
    }
    note("  - \(entry.id) at place \(place + 1)")
    return entry
  }

  private mutating func move(from place: Int) {
    let other = settings.isLocal ? place + Int.random(in: -3...3, using: &generator) : nil
    let entry = remove(at: place, isMove: true)
    let neighbour = other.flatMap { entries.indices.contains($0) ? entries[$0].score : nil }
    self.place(Entry(id: entry.id, score: neighbour ?? randomScore()))
  }

  /// - Returns: `nil` for a failed request.
  mutating func answer(_ address: PageAddress) -> Page? {
    requests += 1
    drift()
    let answer = serve(address)
    note(
      "\(address.direction == .forward ? "" : "backward ")page \(address.page) of \(address.size): "
        + "\(answer.map { "\($0.keys) \($0.claim)" } ?? "nothing")")
    return answer
  }

  private mutating func serve(_ address: PageAddress) -> Page? {
    if happens(settings.failedPages) {
      faults += 1
      return nil
    }
    if let cap = settings.pageCap, address.page > cap { return .pageCap }
    var page = address.page
    switch settings.loop {
    case .ignoresPage: page = 1
    case .repeating(let from, let other) where page >= from: page = other
    default: break
    }
    var claim = claim(page: page, size: address.size)
    if happens(settings.emptyPages) {
      faults += 1
      return happens(0.5) ? .notFound : .items([], claim)
    }
    var ids = ids(page: page, address)
    if ids.isEmpty, page > 1 { return settings.endsEmpty ? .items([], claim) : .notFound }
    if ids.count > 1, happens(settings.shortPages) {
      faults += 1
      ids.removeLast(Int.random(in: 1..<ids.count, using: &generator))
    }
    if happens(settings.earlyEnds) {
      faults += 1
      if claim.hasNext != nil { claim.hasNext = false }
    }
    return .naming(ids, happens(settings.missingClaims) ? PageClaim() : claim)
  }

  private mutating func ids(page: Int, _ address: PageAddress) -> [Int64?] {
    let start = (page - 1) * address.size
    guard start < entries.count else { return [] }
    let range = start..<min(start + address.size, entries.count)
    guard address.direction == .forward else { return range.map { entries[entries.count - 1 - $0].id } }
    if settings.shufflesTies { shuffleTies(around: range) }
    return entries[range].map(\.id)
  }

  private mutating func shuffleTies(around range: Range<Int>) {
    guard settings.kind == .list else { return }
    var start = range.lowerBound
    while start > 0, entries[start - 1].score == entries[start].score { start -= 1 }
    while start < range.upperBound {
      var end = start + 1
      while end < entries.count, entries[end].score == entries[start].score { end += 1 }
      if end - start > 1 { entries[start..<end].shuffle(using: &generator) }
      start = end
    }
  }

  private func claim(page: Int, size: Int) -> PageClaim {
    let total = max(0, entries.count + settings.lie)
    let lastPage = max(1, (total + size - 1) / size)
    let hasNext = page * size < entries.count
    return switch settings.claims {
    case .full: PageClaim(total: total, lastPage: lastPage, hasNext: hasNext)
    case .onePageTooMany: PageClaim(total: total, lastPage: lastPage + 1, hasNext: page <= lastPage)
    case .noFlag: PageClaim(total: total, lastPage: lastPage)
    case .noLastPage: PageClaim(total: total, hasNext: hasNext)
    case .total: PageClaim(total: total)
    case .lastPage: PageClaim(lastPage: lastPage)
    case .nothing: PageClaim()
    }
  }
}
