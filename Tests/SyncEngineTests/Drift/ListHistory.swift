import SyncCore
import SyncTestKit

@testable import SyncEngine

/// A random history of a stream with several lists: one walk, whose runs are stopped and resumed. Meanwhile, items are
/// inserted, removed and moved, and lists fail, are refused, vanish and appear.
///
/// Between two answers whose pages are stored, at most one change happens, so a walk can notice each change
/// (`DriftSettings.Mode.shown`).
struct ListHistory {
  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  struct Settings: CustomStringConvertible {
    let serving: ListServing
    let lists: Int
    /// The share of answers before which something changes.
    let rate: Double
    let failing: Double
    let refusing: Double
    let stopping: Double
    /// The share of pauses between two runs in which a list vanishes or appears.
    let vanishing: Double

    init(_ generator: inout SeededGenerator) {
      let servings = ListServing.all
      serving = servings[Int.random(in: servings.indices, using: &generator)]
      lists = Int.random(in: 0...8, using: &generator)
      func share(_ shares: [Double]) -> Double { shares[Int.random(in: shares.indices, using: &generator)] }
      rate = share([0, 0.1, 0.3, 0.6])
      failing = share([0, 0, 0.1])
      refusing = share([0, 0, 0.2])
      stopping = share([0, 0.1, 0.3])
      vanishing = share([0, 0, 0.4])
    }

    /// Whether each list can be read to its end without a sign of change.
    var isStill: Bool { rate == 0 && failing == 0 && refusing == 0 && vanishing == 0 }

    var description: String {
      "\(serving.testDescription), \(lists) lists, rate \(rate), failing \(failing), refusing \(refusing), "
        + "stopping \(stopping), vanishing \(vanishing)"
    }
  }

  /// How often the cases occurred.
  struct Tally {
    var lists: [ListStatus: Int] = [:]
    var walks: [RunStatus: Int] = [:]
    var changes = 0
    var resumed = 0
    var rewalked = 0
    var requests = 0
  }

  let settings: Settings
  private(set) var tally = Tally()
  private var random: SeededGenerator
  private(set) var log: [String]?

  private var items: [String: [Int64]] = [:]
  /// The lists that the stream has in this run.
  private var names: [String] = []
  /// The items that have been in each list since the walk began.
  private var throughout: [String: Set<Int64>] = [:]
  private var refused: Set<String> = []
  private var lastKey: Int64 = 0
  /// Whether something has changed since the last answer whose page is stored.
  private var hasChanged = false
  /// Whether an answer or a change came after the last stored reading.
  private var needsReading = false

  private var committed: [StoredPage] = []
  private var request: PageRequest?
  private var commit: [PageCommit]?
  private var failures = 0

  init(seed: UInt64, keepsLog: Bool = false) {
    random = SeededGenerator(seed: seed)
    settings = Settings(&random)
    log = keepsLog ? [] : nil
    for number in 0..<settings.lists { add("list\(number)") }
    begin()
  }

  private mutating func happens(_ share: Double) -> Bool {
    share > 0 && Double.random(in: 0..<1, using: &random) < share
  }

  private var isLogged: Bool { log != nil }

  // MARK: The service

  private mutating func add(_ name: String) {
    names.append(name)
    items[name] = []
    for _ in 0..<Int.random(in: 0...12, using: &random) { insert(newKey(), into: name) }
    if happens(settings.refusing) { refused.insert(name) }
    if isLogged { log?.append("+ \(name): \(items[name] ?? [])") }
  }

  private mutating func newKey() -> Int64 {
    lastKey += 1
    // The keys of a list are not in the order of their creation, so that a chain by key can also grow before its
    // cursor.
    return lastKey * 7919 % 100_003
  }

  private mutating func insert(_ key: Int64, into name: String) {
    var list = items[name, default: []]
    let place =
      settings.serving.isByKey
      ? list.firstIndex { $0 > key } ?? list.count : Int.random(in: 0...list.count, using: &random)
    list.insert(key, at: place)
    items[name] = list
  }

  private mutating func remove(from name: String) -> Int64? {
    guard let list = items[name], !list.isEmpty else { return nil }
    return items[name]?.remove(at: Int.random(in: list.indices, using: &random))
  }

  private mutating func randomList() -> String? { items.keys.sorted().randomElement(using: &random) }

  /// Inserts or removes an item, or moves it within its list or to another list.
  private mutating func change() {
    guard let name = randomList(), let other = randomList() else { return }
    hasChanged = true
    needsReading = true
    tally.changes += 1
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      insert(newKey(), into: name)
    case 1:
      if let key = remove(from: name) { throughout[name]?.remove(key) }
    default:
      guard let key = remove(from: name) else { break }
      // An item that moved within its list has always been in the list.
      let target = happens(0.5) ? name : other
      if target != name { throughout[name]?.remove(key) }
      if items[target]?.contains(key) == false { insert(key, into: target) }
    }
    if isLogged {
      log?.append("change \(name): \(items[name] ?? [])")
      if other != name { log?.append("and \(other): \(items[other] ?? [])") }
    }
  }

  /// Removes a list of the service and the stream, or adds one.
  private mutating func changeLists() {
    hasChanged = true
    needsReading = true
    if happens(0.5), let name = names.randomElement(using: &random) {
      if isLogged { log?.append("- \(name)") }
      names.removeAll { $0 == name }
      items[name] = nil
      throughout[name] = []
    } else {
      // A list that vanished can come back.
      let number = Int.random(in: 0..<(settings.lists + 2), using: &random)
      if !names.contains("list\(number)") { add("list\(number)") }
    }
    names.shuffle(using: &random)
  }

  private mutating func answer(_ address: PageAddress) -> Fetcher.Result<FetchedPage> {
    tally.requests += 1
    guard let name = address.list else { return .stopped(Violation(description: "a request without a list")) }
    if happens(settings.failing), failures < 40 {
      failures += 1
      if isLogged { log?.append("\(address.place): failed") }
      return .exhausted(SyncError(.upstream, "answered 500"))
    }
    guard items[name] != nil, !refused.contains(name) else {
      if isLogged { log?.append("\(address.place): refused") }
      return .stopped(SyncError(.upstream, "answered 404"))
    }

    if !hasChanged, happens(settings.rate) { change() }
    needsReading = true
    let page = settings.serving.page(address, of: items[name, default: []])
    if isLogged {
      let total = page.claim.total.map { " of \($0)" } ?? ""
      log?.append("\(address.place): \(page.keys.compactMap(\.self))\(total)")
    }
    return .answer(FetchedPage(page, PageCommit.Origin(address: address, validators: nil), build: nil))
  }

  // MARK: The runs

  private enum RunEnd {
    /// The process was killed.
    case killed
    case ended(Result<Certificate.EndedBy, any Error>)
  }

  private mutating func begin() {
    committed = []
    throughout = items.mapValues(Set.init)
    hasChanged = false
  }

  mutating func run() throws(Violation) {
    for number in 0..<200 {
      let stream = Stream(description: settings.serving.stream(names))
      let walked = WalkedLists(committed)
      let open = OpenWalk(
        runID: "run", walkID: 1, generation: 1, leaseTTL: nil, pages: walked.replayed, endedLists: walked.endedLists,
        databaseTime: 0)
      let maxPages = number < 100 && happens(settings.stopping) ? Int.random(in: 0...3, using: &random) : nil
      var machine = WalkStateMachine(stream, open, maxPages: maxPages)
      if number > 0, !committed.isEmpty { tally.resumed += 1 }
      if isLogged { log?.append("run \(number + 1) after \(committed.count) readings: \(names)") }

      switch try read(&machine, canStop: number < 100) {
      case .ended(.success(.maxPages)), .ended(.failure), .killed: break
      case .ended(.success(let reason)): return try checkEnd(machine, of: stream.description, reason)
      }
      if !hasChanged, happens(settings.rate) { change() }
      if happens(settings.vanishing), number < 100 { changeLists() }
    }
    throw Violation(description: "no end after 200 runs")
  }

  private struct Stream: PagedStream {
    let description: StreamDescription
    func request(_ address: PageAddress) -> UpstreamRequest { UpstreamRequest(url: "http://test/\(address.place)") }
    func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page { .notFound }
  }

  /// Carries out the actions of a run until it ends or is killed.
  private mutating func read(_ machine: inout WalkStateMachine, canStop: Bool) throws(Violation) -> RunEnd {
    request = nil
    commit = nil
    for _ in 0..<2000 {
      while let action = machine.next() {
        switch action {
        case .fetch(let request): self.request = request
        case .commit(let readings, _): commit = readings
        case .loadCachedPages, .cancelTasks: throw Violation(description: "\(action)")
        case .end(let result): return .ended(result)
        }
      }
      if commit == nil, !needsReading { hasChanged = false }
      if canStop, happens(settings.stopping / 10) {
        if isLogged { log?.append("killed") }
        return .killed
      }

      if let readings = commit, request == nil || happens(0.7) {
        commit = nil
        try store(readings)
        machine.receive(.committed(.success(Committed(readings: readings.count, counters: RunCounters()))))
      } else if let request {
        self.request = nil
        machine.receive(
          .fetched(
            Fetcher.Report(
              result: answer(request.page), cost: RunCounters(), requestedAt: .zero, isOriginDown: false,
              reservation: nil), request))
      } else {
        throw Violation(description: "the machine waits for nothing")
      }
    }
    throw Violation(description: "no end after 2000 steps")
  }

  private mutating func store(_ readings: [PageCommit]) throws(Violation) {
    for reading in readings {
      guard reading.page.number == committed.count + 1 else {
        throw Violation(description: "reading \(reading.page.number) after \(committed.count)")
      }
      committed.append(reading.page)
      if let list = reading.page.list, let ending = list.ending { try check(list.name, ending) }
    }
    needsReading = false
  }

  // MARK: The rules

  /// A list that ended with the last reading.
  private mutating func check(_ name: String, _ ending: ListEnding) throws(Violation) {
    if isLogged { log?.append("\(name) ended: \(ending.status), \(ending.certificate.endedBy)") }
    tally.lists[ending.status, default: 0] += 1
    tally.rewalked += ending.certificate.rewalked > 0 ? 1 : 0
    let walked = WalkedLists(committed)
    guard let list = walked.ended.last, list.name == name, walked.ended.count(where: { $0.name == name }) == 1 else {
      throw Violation(description: "\(name) ended twice")
    }
    let readings = committed[ending.firstReading - 1..<list.lastReading]
    guard !readings.isEmpty, readings.allSatisfy({ $0.list?.name == name }) else {
      throw Violation(description: "\(name) has the readings \(readings.map(\.number))")
    }

    let places = walked.places(of: list)
    if ending.publishes, Set(places).count != ending.certificate.distinctKeys {
      throw Violation(description: "\(name): \(places.count) places, but \(ending.certificate)")
    }
    if refused.contains(name), ending.status != .partial { throw Violation(description: "\(name) is \(ending.status)") }
    // After a full page, a refused page can be a page cap.
    if settings.isStill, ending.certificate.endedBy != .pageCap {
      let isRight = places == items[name] && ending.certificate.rewalked == 0
      guard ending.certificate.isWhole, isRight else {
        throw Violation(description: "\(name) did not change, but is \(ending.certificate), \(places)")
      }
    }
    guard ending.status == .complete else { return }
    let missed = (throughout[name] ?? []).subtracting(places)
    if !missed.isEmpty || ending.certificate.evidence == nil && settings.serving.method != .single {
      throw Violation(description: "\(name) is complete without \(missed.sorted()); \(ending.certificate)")
    }
  }

  private mutating func checkEnd(
    _ machine: WalkStateMachine, of stream: StreamDescription, _ reason: Certificate.EndedBy
  ) throws(Violation) {
    let open = WalkedLists(committed).replayed
    let certificate = WalkProgress(machine, of: stream, earlier: open).certificate(endedBy: reason)
    tally.walks[certificate.status, default: 0] += 1
    let ended = WalkedLists(committed).ended
    let unread = Set(names).subtracting(ended.map(\.name))
    guard reason == .lists, unread.isEmpty else {
      throw Violation(description: "\(unread.sorted()) were not read, but the walk ended with \(reason)")
    }

    func count(_ status: ListStatus) -> Int { ended.count { $0.ending.status == status } }
    let (complete, unproven) = (count(.complete), count(.unproven))
    let lists = [ended.count, complete, unproven, count(.inconsistent), count(.partial), 0]
    let certificates = ended.map(\.ending.certificate)
    let sums = [
      certificates.reduce(0) { $0 + $1.distinctKeys }, certificates.reduce(0) { $0 + $1.drift },
      certificates.reduce(0) { $0 + $1.rewalked },
    ]
    guard certificate.lists?.counts == lists,
      sums == [certificate.distinctKeys, certificate.drift, certificate.rewalked],
      certificate.complete == (complete == ended.count),
      certificate.unproven == (unproven > 0 && complete + unproven == ended.count)
    else { throw Violation(description: "\(certificate), but the lists are \(lists) with \(sums)") }
  }
}
