struct Trace {
  enum Kind: String {
    case launch, end, kill, freeze, thaw, terminate
    case request, arrival, answer
    case databaseCall, databaseEffect, databaseAnswer, databaseDown, databaseClock, databaseForgets
    case permit, pause, sleep
    case change, calm, violation
  }

  private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  private(set) var count = 0
  private(set) var lines: [String] = []
  private let keepsText: Bool

  init(keepsText: Bool) { self.keepsText = keepsText }

  mutating func add(_ kind: Kind, _ time: Duration, _ process: Int, _ details: [Int], _ text: () -> String) {
    count += 1
    mix(UInt64(bitPattern: time.nanoseconds))
    for byte in kind.rawValue.utf8 { mix(UInt64(byte)) }
    mix(UInt64(bitPattern: Int64(process)))
    for detail in details { mix(UInt64(bitPattern: Int64(detail))) }
    guard keepsText else { return }
    let numbers = details.map(String.init).joined(separator: " ")
    let who = process == 0 ? "world" : "process \(process)"
    lines.append("\(time.inSeconds)  \(who)  \(kind.rawValue) \(numbers)  \(text())")
  }

  private mutating func mix(_ word: UInt64) {
    hash = (hash ^ word) &* 0x100_0000_01B3
    hash ^= hash >> 29
  }
}

enum Covered: String, CaseIterable {
  case connectionReset, serverError, unavailableWithTime, tooMany, tooManyWithTime, tooManyBeyondCap
  case badRequest, poisonPage, missingPage, emptyPage, earlyEnd, upstreamDown, slowAnswer, hang
  case kill, killInFlightCommit, freeze, freezeBeyondLease, terminate, secondProcess
  case leaseHeld, leaseExpired, leaseTakenFromDead, fenced
  case commitRetried, commitAcknowledgementLost, databaseError, databaseDown, databaseDownTooLong, slowDatabase,
    databaseClockSetBack, databaseForgot, lossNoticed
  case resumed, resumedAtEnd, batch, hole, published, contentChanged, maxPages, fullRun, retriesSpent, breakerOpened,
    upstreamGivenUp
}

struct Coverage {
  private(set) var counts: [Covered: Int] = [:]

  mutating func count(_ probe: Covered) { counts[probe, default: 0] += 1 }

  mutating func add(_ other: Coverage) { counts.merge(other.counts, uniquingKeysWith: +) }
}

enum Invariant: String {
  case rows = "I1 (every row is the newest version that was served and committed)"
  case complete = "I2 (complete means that no id is missing)"
  case uniqueKeys = "I3 (one row per key)"
  case cursor = "I4 (cursor and rows are committed together)"
  case oneWriter = "I5 (one generation writes)"
  case publication = "I6 (nothing is published from a walk that is not whole)"
  case rate = "I7 (requests in any window within the limit, none in a pause)"
  case bounds = "I8 (attempts, retries, requests, waits and time are bounded)"
  case errors = "I9 (every run that fails reports one error, with the right code)"
  case text = "I10 (no control character in a message)"
  case resumption = "P2 (the next run resumes after the last committed page)"
  case convergence = "convergence (when the faults end, the mirror becomes what the upstream has)"
}
