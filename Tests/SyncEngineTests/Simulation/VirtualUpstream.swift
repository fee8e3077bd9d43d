import SyncCore

final class VirtualUpstream: @unchecked Sendable {
  // `@unchecked Sendable`, because one thread runs all tasks of a world.

  struct Arrival {
    let time: Duration
    let sentAt: Duration
    let process: Int
    let run: Int
    let list: Int
    let page: Int
    let heardAt: Duration
  }

  struct Answer {
    let arrival: Arrival
    let fault: UpstreamFault?
    let entries: [VirtualList.Entry]
    let claim: PageClaim

    var isUseful: Bool {
      switch fault {
      case nil, .earlyEnd, .slowAnswer, .missingPage, .emptyPage: true
      default: false
      }
    }
  }

  private let world: World
  private(set) var lists: [VirtualList]
  var faults: UpstreamFaults
  private(set) var arrivals: [Arrival] = []
  /// The number of sent requests by run. Some requests of a killed process do not arrive.
  private(set) var sent: [Int: Int] = [:]
  private(set) var answers: [Answer] = []
  private(set) var refusals: [Int: Duration] = [:]
  private(set) var orders: [(process: Int, toldAt: Duration, until: Duration)] = []

  init(world: World, lists: [VirtualList], faults: UpstreamFaults) {
    self.world = world
    self.lists = lists
    self.faults = faults
  }

  func stream(_ list: Int) -> VirtualStream { VirtualStream(description: lists[list].stream, upstream: self) }

  func change(list: Int) {
    guard let key = world.pick(of: lists[list].keys) else { return }
    lists[list].change(key, at: world.now)
    world.note(.change, 0, list, Int(key))
    world.cover(.contentChanged)
  }

  func send(_ request: UpstreamRequest, _ call: Call<UpstreamResponse>) {
    let (list, page) = target(of: request)
    let process = call.process
    let (sentAt, heardAt, run) = (world.now, process.heardAt, process.run)
    sent[run, default: 0] += 1
    world.note(.request, call.process.id, list, page)
    // A request takes up to 8 ms, so two requests can arrive closer together than they were sent.
    world.after(world.pick(milliseconds: 0...8)) { [self] in
      let arrival = Arrival(
        time: world.now, sentAt: sentAt, process: process.id, run: run, list: list, page: page, heardAt: heardAt)
      arrivals.append(arrival)
      answer(arrival, call)
    }
  }

  private func target(of request: UpstreamRequest) -> (list: Int, page: Int) {
    let parts = request.url.split { $0 == "/" || $0 == "?" || $0 == "=" }
    let list = lists.firstIndex { parts.contains(Substring($0.stream.id.name)) } ?? 0
    return (list, parts.last.flatMap { Int($0) } ?? 0)
  }

  private func answer(_ arrival: Arrival, _ call: Call<UpstreamResponse>) {
    let fault = faults.strike(arrival.page, of: lists[arrival.list], listNumber: arrival.list, in: world)
    let list = lists[arrival.list]
    var claim = list.claim(page: arrival.page)
    if fault == .earlyEnd { claim.hasNext = false }
    let number = answers.count
    answers.append(
      Answer(
        arrival: arrival, fault: fault, entries: fault.isAboutNoItems ? [] : list.entries(page: arrival.page),
        claim: claim))
    world.note(
      .arrival, call.process.id, arrival.list, arrival.page, fault?.number ?? 0, text: fault.map { "\($0)" } ?? "ok")
    let status = status(fault, arrival)
    switch fault {
    case .badRequest:
      let response = UpstreamResponse(status: status, headers: [:], body: [])
      reply(.success(response), after: world.pick(milliseconds: 20...400), refuses: arrival.run, call)
    case .connectionReset, .upstreamDown:
      reply(.failure(.lost("the connection was reset", arrival)), after: world.pick(milliseconds: 1...2000), call)
    case .hang: reply(.failure(.lost("no answer in 60 s", arrival)), after: Limits.requestDeadline, call)
    default:
      var headers: [String: String] = [:]
      if let silence = fault?.silence { headers["retry-after"] = "\(silence.components.seconds)" }
      let response = UpstreamResponse(status: status, headers: headers, body: Array("\(number)".utf8))
      let delay = world.pick(milliseconds: fault == .slowAnswer ? 5000...59_000 : 20...400)
      reply(.success(response), after: delay, silence: fault?.silence, call)
    }
  }

  private func status(_ fault: UpstreamFault?, _ arrival: Arrival) -> Int {
    switch fault {
    case .serverError, .poisonPage: return 500
    case .unavailable: return 503
    case .tooMany: return 429
    case .badRequest: return 400
    case .missingPage: return 404
    default:
      let list = lists[arrival.list]
      return list.isBehindEnd(arrival.page) && !list.endsEmpty ? 404 : 200
    }
  }

  private func reply(
    _ result: Result<UpstreamResponse, SyncError>, after delay: Duration, silence: Duration? = nil,
    refuses run: Int? = nil, _ call: Call<UpstreamResponse>
  ) {
    world.after(delay) { [self] in
      call.process.whenRunning { [self] in
        world.note(.answer, call.process.id)
        if let run, refusals[run] == nil, !call.isWithdrawn { refusals[run] = world.now }
        if let silence, !call.isWithdrawn { orders.append((call.process.id, world.now, world.now + silence)) }
        call.answer(result.mapError { $0 })
      }
    }
  }

  func answer(to response: UpstreamResponse) -> Answer {
    answers[Int(String(decoding: response.body, as: UTF8.self)) ?? 0]
  }

  func page(_ response: UpstreamResponse) -> Page {
    let answer = answer(to: response)
    let list = lists[answer.arrival.list]
    return .items(
      answer.entries.map { entry in
        if let isReadable = list.rejected[entry.key] {
          return .rejected(
            RejectedItem(key: isReadable ? entry.key : nil, reason: "wrong_type", detail: "title: 5", excerpt: "{}"))
        }
        let document = Array("\(entry.version)".utf8)
        return .item(
          PageItem(key: entry.key, document: document, contentHash: document, counterHash: Int64(entry.version)))
      }, answer.claim)
  }
}

extension SyncError {
  fileprivate static func lost(_ what: String, _ arrival: VirtualUpstream.Arrival) -> SyncError {
    SyncError(.upstream, "page \(arrival.page): \(what)", disposition: .retry(after: nil))
  }
}

extension UpstreamFault? {
  fileprivate var isAboutNoItems: Bool {
    switch self {
    case nil, .earlyEnd, .slowAnswer: false
    default: true
    }
  }
}
