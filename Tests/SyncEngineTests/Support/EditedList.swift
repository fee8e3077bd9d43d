import SyncCore
import SyncEngine
import Testing

/// A list that a test edits before certain requests. By default, its pages state the true totals.
struct EditedList {
  typealias Edit = (inout [Int64]) -> Void

  var items: [Int64]
  /// Edits by the number (from 1) of a request. An edit happens before its request is answered.
  var edits: [Int: Edit] = [:]
  /// Answers that replace the list's pages, by request number. The claims stay those of the list.
  var faults: [Int: Page] = [:]
  var failures: Set<Int> = []
  /// Numbers of the requests whose page falsely claims that the list ends with this page.
  var lies: Set<Int> = []
  var pageCap: Int?
  /// The service's maximum page size. A request for larger pages gets pages of this size.
  var largestPage: Int?
  var tellsSize = true
  /// Whether a request has the position of its first item instead of a page number.
  var isByPosition = false
  /// Whether the service rounds a position down to a multiple of the page size.
  var isAligned = false
  /// Items that the service omits after it has counted positions.
  var hidden: Set<Int64> = []
  /// Pages that begin after this many items are missing.
  var missingFrom: Int?
  /// Whether pages say that a next page exists; otherwise a 404 ends the list.
  var tellsEnd = true
  private(set) var asked: [PageAddress] = []
  private(set) var stored: [StoredPage] = []

  init(_ items: some Sequence<Int64>) { self.items = Array(items) }

  private static let request = UpstreamRequest(url: "http://test/list")

  /// Walks the list to its end. After every request, replays the stored readings.
  mutating func walk(_ make: () -> any Walk) throws -> Certificate { try walkAndPublish(make).certificate }

  mutating func walkAndPublish(_ make: () -> any Walk) throws -> (certificate: Certificate, published: Set<Int64>) {
    var walk = make()
    var step = walk.start
    while case .fetch(let address) = step {
      asked.append(address)
      try #require(asked.count < 500, "the walk does not end")
      edits[asked.count]?(&items)
      let reading: Reading
      if failures.contains(asked.count) {
        reading = walk.skip(address)
      } else {
        var page = faults[asked.count] ?? self.page(address)
        if case .items(let entries, _) = page { page = .items(entries, claim(address)) }
        reading = try walk.receive(page, at: address, request: Self.request)
      }
      step = reading.step
      guard let page = reading.stored else { continue }
      stored.append(page)
      var again = make()
      let replayed = stored.reduce(again.start) { again.replay($1) }
      #expect(replayed == step, "after reading \(stored.count)")
      #expect(
        again.certificate(endedBy: .interrupted).distinctKeys == walk.certificate(endedBy: .interrupted).distinctKeys)
    }
    let readings = walk.publishedReadings ?? 0..<Int.max
    let published = Set(stored.filter { readings.contains($0.number) }.compactMap(\.keys).joined())
    guard case .end(let reason) = step else { return (walk.certificate(endedBy: .failed), published) }
    return (walk.certificate(endedBy: reason), published)
  }

  var pages: [Int] { asked.map(\.page) }

  var seen: Set<Int64> { Set(stored.compactMap(\.keys).joined()) }

  private func given(_ address: PageAddress) -> PageAddress {
    PageAddress(page: address.page, size: min(address.size, largestPage ?? address.size), direction: address.direction)
  }

  private func page(_ requested: PageAddress) -> Page {
    let address = given(requested)
    if let pageCap, address.page > pageCap { return .pageCap }
    if let missingFrom, address.offset >= missingFrom { return .notFound }
    let ordered = address.direction == .forward ? items : items.reversed()
    var start = isByPosition ? requested.offset : address.offset
    if isAligned { start = start / address.size * address.size }
    let keys = ordered.dropFirst(start).prefix(address.size).filter { !hidden.contains($0) }
    return keys.isEmpty ? .notFound : .naming(keys)
  }

  private func claim(_ requested: PageAddress) -> PageClaim {
    let address = given(requested)
    if lies.contains(asked.count) {
      return PageClaim(total: min(address.offset + address.size, items.count), lastPage: address.page, hasNext: false)
    }
    return PageClaim(
      total: tellsSize ? items.count { !hidden.contains($0) } : nil,
      lastPage: tellsSize && !isByPosition ? max(1, (items.count + address.size - 1) / address.size) : nil,
      hasNext: tellsEnd ? address.page * address.size < items.count : nil)
  }
}
