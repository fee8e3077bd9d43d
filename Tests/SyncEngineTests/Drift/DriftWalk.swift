import SyncCore
import SyncEngine
import SyncTestKit

enum DriftRule: String, CaseIterable {
  case listComplete = "D1 (a list's walk is complete: every id that was listed throughout was seen)"
  case catalogueComplete = "D2 (a catalogue's walk is complete: every id that was listed throughout was seen)"
  case published = "D6 (the certificate counts what is published, and nothing that was removed before the last pass)"
  case counts = "D2 (keys and repeats are counted correctly)"
  case vanished = "D3 (no listed item is marked as vanished, and every removed one is)"
  case bounds = "D4 (requests are bounded, and every walk ends)"
  case replay = "D4 (the stored readings rebuild the same walk)"
  case still = "D5 (a list that does not change is complete at once)"
}

struct DriftViolation: Error, CustomStringConvertible {
  let rule: DriftRule
  let text: String

  var description: String { "\(rule.rawValue): \(text)" }
}

struct DriftWalk {
  private static let request = UpstreamRequest(url: "http://test/list")

  let settings: DriftSettings
  private(set) var list: DriftingList
  private(set) var certificate: Certificate?
  private(set) var requests = 0
  private var generator: SeededGenerator
  private var walk: any Walk
  private var stored: [StoredPage] = []
  private var requestOf: [Int] = []
  private var mostAdvertised = 1
  private let hadTwinsAcrossPages: Bool

  init(seed: UInt64, isLong: Bool = false, keepsLog: Bool = false) {
    var generator = SeededGenerator(seed: seed)
    settings = DriftSettings(&generator, isLong: isLong)
    list = DriftingList(settings, SeededGenerator(seed: generator.next()), keepsLog: keepsLog)
    hadTwinsAcrossPages = list.hasTwinsAcrossPages
    self.generator = generator
    walk = settings.machine
  }

  mutating func run() throws(DriftViolation) {
    let replayAt = Int.random(in: 1...20, using: &generator)
    var step = walk.start
    while case .fetch(let address) = step {
      requests += 1
      guard requests <= 3_000 else { throw DriftViolation(rule: .bounds, text: "no end after \(requests) requests") }
      let answer = list.answer(address)
      let reading: Reading
      if let answer {
        do {
          reading = try walk.receive(answer, at: address, request: Self.request)
        } catch {
          return try checkError(error)
        }
      } else if requests == 1 {
        return
      } else {
        reading = walk.skip(address)
      }
      mostAdvertised = max(mostAdvertised, walk.advertisedPages ?? 1)
      step = reading.step
      if let page = reading.stored {
        guard page.number == stored.count + 1 else {
          throw DriftViolation(rule: .replay, text: "reading \(page.number) after \(stored.count)")
        }
        stored.append(page)
        requestOf.append(requests)
        if stored.count == replayAt { try checkReplay(step) }
      }
    }
    guard case .end(let reason) = step else { return }
    try checkEnd(reason, step)
  }

  private func checkError(_ error: SyncError) throws(DriftViolation) {
    if settings.isHonest, settings.count > 0, list.changes == 0, settings.kind == .list || settings.loop == nil {
      throw DriftViolation(rule: .still, text: "\(error)")
    }
  }

  private mutating func checkEnd(_ reason: Certificate.EndedBy, _ step: WalkStep) throws(DriftViolation) {
    let certificate = walk.certificate(endedBy: reason)
    self.certificate = certificate
    if !stored.isEmpty { try checkReplay(nil) }
    try checkComplete(certificate)
    if settings.kind == .list, certificate.mayPublish { try checkPublished(certificate) }
    try checkBounds(certificate)
    if list.changes == 0 { try checkStill(certificate) }
  }

  private func checkComplete(_ certificate: Certificate) throws(DriftViolation) {
    guard certificate.complete, certificate.evidence != nil, settings.kind == .catalogue || settings.mode == .shown
    else { return }
    let seen = Set(stored.compactMap(\.keys).joined())
    let missed = list.throughout.subtracting(seen)
    guard !missed.isEmpty else { return }
    throw DriftViolation(
      rule: settings.kind == .list ? .listComplete : .catalogueComplete,
      text: "\(missed.sorted()) missed; \(certificate)")
  }

  private var published: ArraySlice<StoredPage> {
    guard let readings = walk.publishedReadings else { return stored[...] }
    return stored[(readings.lowerBound - 1)..<(readings.upperBound - 1)]
  }

  /// The number of the request that began the last pass.
  private var lastPassBegan: Int {
    if let readings = walk.publishedReadings { return requestOf[readings.lowerBound - 1] }
    var highest = 0
    for (page, request) in zip(stored, requestOf) {
      guard let number = page.page else { continue }
      if number <= highest { return request }
      highest = number
    }
    return 1
  }

  private func checkPublished(_ certificate: Certificate) throws(DriftViolation) {
    let keys = Set(published.compactMap(\.keys).joined())
    if keys.count != certificate.distinctKeys {
      throw DriftViolation(rule: .published, text: "\(keys.count) published, but \(certificate)")
    }
    guard certificate.complete, certificate.evidence != nil, settings.mode == .shown else { return }
    let missed = list.throughout.subtracting(keys)
    let removed = keys.filter { list.removedBefore[$0].map { $0 <= lastPassBegan } ?? false }
    if !missed.isEmpty || !removed.isEmpty {
      throw DriftViolation(
        rule: .published,
        text: "\(missed.sorted()) not published, \(removed.sorted()) published though removed; \(certificate)")
    }
  }

  private func checkBounds(_ certificate: Certificate) throws(DriftViolation) {
    let reread = Limits.rewalkPages + mostAdvertised / Limits.pagesPerRewalkPage
    let seen = Limits.rewalkPages + stored.count / Limits.pagesPerRewalkPage
    if certificate.rewalked > max(reread, seen) {
      throw DriftViolation(rule: .bounds, text: "\(certificate.rewalked) pages read again of \(mostAdvertised)")
    }
    // The number of advertised pages can be missing or too low, so the test also uses the real length of the list.
    let pages = max(mostAdvertised, (list.entries.count + list.changes) / settings.pageSize + 1)
    let bound =
      Limits.pagesPerAdvertisedPage * pages + Limits.pageSlack + max(reread, seen)
      + (settings.kind == .catalogue ? Limits.pageSlack : 0)
    if requests > bound { throw DriftViolation(rule: .bounds, text: "\(requests) requests for \(pages) pages") }
  }

  /// - Parameter step: The walk's next step, or `nil` if the walk has ended.
  private func checkReplay(_ step: WalkStep?) throws(DriftViolation) {
    var again = settings.machine
    let replayed = stored.reduce(again.start) { again.replay($1) }
    if let step, replayed != step {
      throw DriftViolation(rule: .replay, text: "\(replayed), not \(step), after \(stored.count) readings")
    }
    if step == nil, case .end = replayed {} else if step == nil { return }
    var (one, other) = (walk.certificate(endedBy: .interrupted), again.certificate(endedBy: .interrupted))
    if settings.kind == .catalogue {
      // A catalogue's walk stores no reading when it steps back to an earlier page, so a replay cannot count the step.
      one.drift -= one.rewalked
      one.rewalked = 0
    }
    if one != other { throw DriftViolation(rule: .replay, text: "\(other), not \(one)") }
    for id in list.throughout.prefix(20) where walk.hasSeen(id) != again.hasSeen(id) {
      throw DriftViolation(rule: .replay, text: "\(id) is seen by one walk only")
    }
  }

  private func checkStill(_ certificate: Certificate) throws(DriftViolation) {
    let isSteady = list.faults == 0 && settings.loop == nil && !settings.shufflesTies
    guard isSteady, certificate.endedBy != .pageCap, settings.pageCap == nil || settings.kind == .catalogue else {
      return
    }
    guard settings.lie == 0, settings.missingClaims == 0 else { return }
    // If an item is on two pages, the walk cannot know whether the list repeats the item or has moved it meanwhile.
    if settings.kind == .list, hadTwinsAcrossPages { return }
    if !certificate.complete || certificate.rewalked > 0 { throw DriftViolation(rule: .still, text: "\(certificate)") }
    if certificate.distinctKeys != list.ids.count || certificate.repeats != list.repeats {
      throw DriftViolation(rule: .counts, text: "\(list.ids.count) ids and \(list.repeats) repeats, but \(certificate)")
    }
  }
}

extension DriftSettings {
  var machine: any Walk {
    switch kind {
    case .list: ListWalk(pageSize: pageSize)
    case .catalogue: CatalogueWalk(pageSize: pageSize, pageCap: isCapKnown ? pageCap : nil)
    }
  }
}
