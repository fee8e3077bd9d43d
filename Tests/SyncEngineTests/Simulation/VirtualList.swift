import SyncCore

/// The ids and their order never change. The contents of the items change.
struct VirtualList {
  enum Claims: CaseIterable {
    case full
    /// A page states the number of the last page, but no number of items. A missing page ends the list.
    case lastPage
    /// The claimed number of the last page is too high by one, as in real lists.
    case onePageTooMany
    case none
  }

  struct Entry: Equatable {
    let key: Int64
    let version: Int
  }

  let stream: StreamDescription
  let pageSize: Int
  let claims: Claims
  let endsEmpty: Bool
  let keys: [Int64]
  /// Ids of items that cannot be stored. The value says whether the id is readable.
  let rejected: [Int64: Bool]
  private(set) var versions: [Int64: Int] = [:]
  private var changes: [(time: Duration, key: Int64, version: Int)] = []

  init(name: String, in world: World) {
    pageSize = world.pick(1...7)
    claims = Claims.allCases[world.pick(0...Claims.allCases.count - 1)]
    endsEmpty = world.happens(0.3)
    // An empty list must claim that it is empty, so only a list with full claims can be empty.
    var count = world.pick(1...60)
    if claims == .full, world.happens(0.03) { count = 0 }
    let repeats = world.happens(0.3) ? 0.1 : 0
    var keys: [Int64] = []
    for place in 0..<count {
      if place > 0, world.happens(repeats), let again = world.pick(of: Array(keys.suffix(2 * pageSize))) {
        keys.append(again)
      } else {
        keys.append(Int64(place * 7 % 101) + 1)
      }
    }
    self.keys = keys
    let rejects = world.happens(0.1) ? 0.05 : 0
    rejected = Dictionary(
      keys.filter { _ in world.happens(rejects) }.map { ($0, world.happens(0.7)) }, uniquingKeysWith: { $1 })
    stream = StreamDescription(
      id: StreamID(source: SourceID(rawValue: "test"), name: name), provider: "test", origin: "http://upstream.test",
      pageSize: pageSize, absence: .endsEntry(.wholeList), sql: StreamSQL(folder: "test", scope: []))
  }

  var pageCount: Int { (keys.count + pageSize - 1) / pageSize }
  var distinctKeys: Set<Int64> { Set(keys) }
  var readableKeys: Set<Int64> { distinctKeys.filter { rejected[$0] != false } }

  private var claimedLastPage: Int? {
    switch claims {
    case .full, .lastPage: pageCount
    case .onePageTooMany: pageCount + 1
    case .none: nil
    }
  }

  func isPlainlyBeforeEnd(_ page: Int) -> Bool { claimedLastPage.map { page > 1 && page + 1 < $0 } ?? false }

  func isBehindEnd(_ page: Int) -> Bool { page > max(1, pageCount) }

  func claim(page: Int) -> PageClaim {
    PageClaim(
      total: claims == .full ? keys.count : nil, lastPage: claimedLastPage,
      hasNext: claims == .full ? page < pageCount : nil)
  }

  func entries(page: Int) -> [Entry] {
    let start = (page - 1) * pageSize
    guard start < keys.count else { return [] }
    let page = keys[start..<min(start + pageSize, keys.count)]
    return page.indices.map { place in
      let version = versions[page[place]] ?? 0
      // If a page repeats an item, its earlier copy has an older version, as if the copy came from a cache.
      let isOld = page[(place + 1)...].contains(page[place])
      return Entry(key: page[place], version: isOld ? max(0, version - 1) : version)
    }
  }

  mutating func change(_ key: Int64, at time: Duration) {
    let version = (versions[key] ?? 0) + 1
    versions[key] = version
    changes.append((time, key, version))
  }

  func version(of key: Int64, at time: Duration) -> Int {
    changes.last { $0.key == key && $0.time <= time }?.version ?? 0
  }
}

struct VirtualStream: PagedStream {
  let description: StreamDescription
  let upstream: VirtualUpstream

  func request(_ address: PageAddress) -> UpstreamRequest {
    UpstreamRequest(url: "\(description.origin)/\(description.id.name)?page=\(address.page)")
  }

  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
    let wait = response.headers["retry-after"].flatMap { RetryAfter.parse($0, now: nil) }
    switch response.status {
    case 200: return upstream.page(response)
    case 404: return .notFound
    case 429: throw SyncError(.upstream, "\(request.url) answered 429", disposition: .throttled(after: wait))
    case 500...: throw SyncError(.upstream, "\(request.url) answered 5xx", disposition: .retry(after: wait))
    default: throw SyncError(.upstream, "\(request.url) answered \(response.status)")
    }
  }
}

struct VirtualTransport: Transport {
  let process: VirtualProcess
  let upstream: VirtualUpstream

  func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
    try await process.call { upstream.send(request, $0) }
  }
}
