import SyncCore

enum UpstreamFault: Equatable {
  case connectionReset, upstreamDown, hang, slowAnswer
  case serverError
  /// A page that fails until all faults end.
  case poisonPage
  case badRequest
  case missingPage
  case emptyPage
  case earlyEnd
  case unavailable(Duration)
  case tooMany(Duration?)

  var silence: Duration? {
    switch self {
    case .unavailable(let time), .tooMany(.some(let time)): time
    default: nil
    }
  }

  var number: Int { (Covered.allCases.firstIndex(of: probe) ?? 0) + 1 }

  var probe: Covered {
    switch self {
    case .connectionReset: .connectionReset
    case .upstreamDown: .upstreamDown
    case .hang: .hang
    case .slowAnswer: .slowAnswer
    case .serverError: .serverError
    case .poisonPage: .poisonPage
    case .badRequest: .badRequest
    case .missingPage: .missingPage
    case .emptyPage: .emptyPage
    case .earlyEnd: .earlyEnd
    case .unavailable: .unavailableWithTime
    case .tooMany(nil): .tooMany
    case .tooMany(.some(let time)): time > Limits.retryAfterCap ? .tooManyBeyondCap : .tooManyWithTime
    }
  }
}

struct UpstreamFaults {
  private var connectionReset = 0.0
  private var serverError = 0.0
  private var unavailable = 0.0
  private var tooMany = 0.0
  private var beyondCap = 0.0
  private var badRequest = 0.0
  private var missingPage = 0.0
  private var emptyPage = 0.0
  private var earlyEnd = 0.0
  private var slowAnswer = 0.0
  private var hang = 0.0
  private var poison: [Set<Int>] = []
  private var downUntil: Duration = .zero
  private var burstUntil: Duration = .zero

  init() {}

  init(lists: [VirtualList], in world: World) {
    /// Returns 0 in most worlds, so that the worlds have different faults.
    func rate(_ highest: Double, in share: Double = 0.3) -> Double {
      world.happens(share) ? Double.random(in: 0..<highest, using: &world.chance) : 0
    }
    connectionReset = rate(0.2)
    serverError = rate(0.5, in: 0.5)
    unavailable = rate(0.1)
    tooMany = rate(0.2)
    beyondCap = rate(0.02, in: 0.1)
    badRequest = rate(0.02, in: 0.1)
    missingPage = rate(0.1, in: 0.1)
    emptyPage = rate(0.1, in: 0.1)
    earlyEnd = rate(0.2, in: 0.2)
    slowAnswer = rate(0.2)
    hang = rate(0.05)
    poison = lists.map { list in
      guard world.happens(0.15) else { return [] }
      return Set((0..<world.pick(1...3)).map { _ in world.pick(1...max(1, list.pageCount)) })
    }
  }

  mutating func goDown(for duration: Duration, in world: World) { downUntil = max(downUntil, world.now + duration) }

  mutating func burst(for duration: Duration, in world: World) { burstUntil = max(burstUntil, world.now + duration) }

  func strike(_ page: Int, of list: VirtualList, listNumber: Int, in world: World) -> UpstreamFault? {
    let fault = choose(page, of: list, listNumber: listNumber, in: world)
    if let fault { world.cover(fault.probe) }
    return fault
  }

  private func choose(_ page: Int, of list: VirtualList, listNumber: Int, in world: World) -> UpstreamFault? {
    if world.now < downUntil { return .upstreamDown }
    if world.now < burstUntil { return .serverError }
    if poison.indices.contains(listNumber), poison[listNumber].contains(page) { return .poisonPage }
    if world.happens(connectionReset) { return .connectionReset }
    if world.happens(serverError) { return .serverError }
    if world.happens(unavailable) { return .unavailable(.seconds(world.pick(0...40))) }
    if world.happens(tooMany) {
      return .tooMany(world.happens(0.5) ? .seconds(world.pick(of: [0, 1, 2, 5, 30, 60, 300, 900]) ?? 1) : nil)
    }
    if world.happens(beyondCap) { return .tooMany(.seconds(world.pick(901...4000))) }
    if world.happens(badRequest) { return .badRequest }
    if world.happens(hang) { return .hang }
    if world.happens(slowAnswer) { return .slowAnswer }
    guard list.isPlainlyBeforeEnd(page) else { return nil }
    if world.happens(missingPage) { return .missingPage }
    if world.happens(emptyPage) { return .emptyPage }
    if list.claims == .full, world.happens(earlyEnd) { return .earlyEnd }
    return nil
  }
}
