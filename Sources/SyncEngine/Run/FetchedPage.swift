import Hashing
package import SyncCore

package struct FetchedPage: Sendable {
  package let page: Page
  package let origin: PageCommit.Origin?
  package let build: String?
  package let confirmation: Confirmation?

  package enum Confirmation: Sendable {
    case notModified
    case identical
  }

  init(_ page: Page, _ origin: PageCommit.Origin, build: String?) {
    // If `origin` is `nil`, the next walk parses the page again and reports the page's rejected items again.
    let isWhole = if case .items(let entries, _) = page { entries.allSatisfy(\.isItem) } else { false }
    self.page = page
    self.origin = isWhole ? origin : nil
    self.build = build
    confirmation = nil
  }

  init(_ known: KnownPage, _ confirmation: Confirmation, validators: Validators? = nil) {
    page = .items(known.keys.map { .listed($0) }, known.claim)
    origin = PageCommit.Origin(
      address: known.address, validators: validators ?? known.validators, digest: known.digest, known: known.reading)
    build = nil
    self.confirmation = confirmation
  }
}

extension KnownPage {
  /// Returns the page without validators that have a secret. Earlier versions stored such validators.
  func withoutSecretValidators(_ mask: SecretMask) -> KnownPage {
    let texts = [validators?.etag, validators?.lastModified].compactMap(\.self)
    guard texts.contains(where: { mask.finds(in: $0) }) else { return self }
    return KnownPage(
      address: address, reading: reading, validators: nil, digest: digest, keys: keys, claim: claim)
  }
}

enum PageDigest {
  /// Must be increased if a new reader or scanner returns different results for the same body.
  private static let readerVersion: UInt8 = 2
  private static let bytes = 16

  static func of(_ body: [UInt8], link: String? = nil, mappingVersion: Int) -> String {
    var hash = SHA256()
    hash.update(data: [readerVersion] + Array("\(mappingVersion)\n".utf8))
    hash.update(data: body)
    if let link { hash.update(data: Array(link.utf8)) }
    return hash.finalize().prefix(bytes).hexadecimal
  }
}

extension Walk {
  mutating func receive(
    _ fetched: Fetcher.Outcome<FetchedPage>, at address: PageAddress, request: UpstreamRequest
  ) throws(SyncError) -> (step: WalkStep, commit: PageCommit?) {
    let answer = fetched.answer
    let entries = answer?.page.entries ?? []
    // `hasSeen` must be called before `receive`, which marks the keys as seen. The closure of a `filter` would copy all
    // keys of the walk.
    var earlier: Set<Int64> = []
    for entry in entries { if let key = entry.key, hasSeen(key) { earlier.insert(key) } }
    let reading = if let answer { try receive(answer.page, at: address, request: request) } else { skip(address) }
    guard let stored = reading.stored else { return (reading.step, nil) }
    let new = entries.dropFirst(reading.overlap)
    let commit =
      if let confirmation = answer?.confirmation {
        PageCommit(
          confirmed: new.compactMap(\.key), confirmation, as: stored, origin: answer?.origin, known: earlier,
          requestedAt: fetched.askedAt)
      } else {
        PageCommit(of: new, as: stored, origin: answer?.origin, known: earlier, requestedAt: fetched.askedAt)
      }
    return (reading.step, commit)
  }
}

extension PageCommit {
  init(
    of entries: some Collection<Page.Entry>, gone: [Int64] = [], as page: StoredPage, origin: Origin? = nil,
    known: Set<Int64> = [], requestedAt: Duration, times: [Int64: Duration] = [:]
  ) {
    var counters = RunCounters()
    var rows: [Row] = []
    var rejected: [RejectedItem] = []
    var places: [Int64: Int] = [:]
    for entry in entries {
      switch entry {
      case .listed: break
      case .rejected(let item):
        rejected.append(item)
      case .item(let item):
        let row = Row(item: item, isDuplicate: known.contains(item.key), requestedAt: times[item.key])
        if let place = places[item.key] {
          rows[place] = row
          counters.duplicates += 1
        } else {
          places[item.key] = rows.count
          rows.append(row)
        }
      }
    }
    counters.pages += page.page != nil && page.keys != nil && page.endedBy == nil ? 1 : 0
    // An item that is only listed is counted later, when its document arrives.
    counters.rowsSeen += entries.count { if case .listed = $0 { false } else { true } }
    counters.duplicates += rows.count(where: \.isDuplicate)
    counters.quarantined += rejected.count
    counters.repaired += rows.count(where: \.item.isRepaired)
    for row in rows { counters.notUnderstood.add(row.item.misfits) }
    self.init(
      page: page, origin: origin, rows: rows, rejected: rejected, gone: gone, counters: counters,
      requestedAt: requestedAt)
  }

  init(
    confirmed keys: some Collection<Int64>, _ confirmation: FetchedPage.Confirmation, as page: StoredPage,
    origin: Origin?, known: Set<Int64>, requestedAt: Duration
  ) {
    var counters = RunCounters()
    let new = Set(keys).subtracting(known).count
    counters.pages += 1
    switch confirmation {
    case .notModified: counters.notModified += 1
    case .identical: counters.identical += 1
    }
    counters.rowsSeen += keys.count
    counters.duplicates += keys.count - new
    counters.unchanged += new
    self.init(
      page: page, origin: origin, rows: [], rejected: [], confirmed: Array(keys), counters: counters,
      requestedAt: requestedAt)
  }
}
