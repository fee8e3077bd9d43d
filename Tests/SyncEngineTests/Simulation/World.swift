import SyncTestKit

/// Time, randomness and the order of events of one simulation.
///
/// A step is a job of a task or an event of the world. One thread executes all ready jobs, then sets the clock to the
/// time of the next event and executes this event. A seed therefore determines all steps.
final class World: @unchecked Sendable {
  // `@unchecked Sendable`, because one thread runs all tasks of a world.

  struct Violation: Error, CustomStringConvertible {
    let invariant: Invariant
    let what: String
    let time: Duration

    var description: String { "\(invariant.rawValue) at \(time.inSeconds) s: \(what)" }
  }

  private struct Event {
    let time: Duration
    let number: Int
    let action: () -> Void

    func isBefore(_ other: Event) -> Bool { time != other.time ? time < other.time : number < other.number }
  }

  private(set) var now: Duration = .zero
  var chance: SeededGenerator
  let queue = RunQueue()
  private(set) var trace: Trace
  private(set) var coverage = Coverage()
  private(set) var violation: Violation?
  /// A binary heap ordered by time, then by scheduling order.
  private var events: [Event] = []
  private var scheduled = 0
  private var fired = 0

  init(seed: UInt64, keepsTrace: Bool) {
    chance = SeededGenerator(seed: seed)
    trace = Trace(keepsText: keepsTrace)
  }

  private static let mostEvents = 200_000

  func note(_ kind: Trace.Kind, _ process: Int, _ details: Int..., text: @autoclosure () -> String = "") {
    trace.add(kind, now, process, details, text)
  }

  func cover(_ probe: Covered) { coverage.count(probe) }

  func violate(_ invariant: Invariant, _ what: @autoclosure () -> String) {
    guard violation == nil else { return }
    violation = Violation(invariant: invariant, what: what(), time: now)
    note(.violation, 0, text: violation?.description ?? "")
  }

  func after(_ delay: Duration, _ action: @escaping () -> Void) {
    scheduled += 1
    events.append(Event(time: now + max(.zero, delay), number: scheduled, action: action))
    var place = events.count - 1
    while place > 0, events[place].isBefore(events[(place - 1) / 2]) {
      events.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// - Throws: `Violation`, also if no event is left or the world never ends.
  func run(until isDone: () -> Bool) throws(Violation) {
    while true {
      queue.drain()
      if let violation { throw violation }
      if isDone() { return }
      fired += 1
      if fired > Self.mostEvents { violate(.bounds, "the world does not end") }
      if let event = popEvent() {
        now = event.time
        event.action()
      } else {
        violate(.bounds, "nothing can happen any more, and somebody waits")
      }
    }
  }

  private func popEvent() -> Event? {
    guard let first = events.first, let last = events.popLast() else { return nil }
    guard !events.isEmpty else { return first }
    events[0] = last
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < events.count && events[child].isBefore(events[least]) {
        least = child
      }
      if least == place { return first }
      events.swapAt(place, least)
      place = least
    }
  }

  func happens(_ probability: Double) -> Bool {
    probability > 0 && Double.random(in: 0..<1, using: &chance) < probability
  }

  func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &chance) }

  func pick(milliseconds range: ClosedRange<Int>) -> Duration { .milliseconds(Int.random(in: range, using: &chance)) }

  func pick<T>(of choices: [T]) -> T? { choices.randomElement(using: &chance) }
}

extension Duration {
  var inSeconds: String {
    let (seconds, attoseconds) = components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    return "\(seconds).\("00\(milliseconds)".suffix(3))"
  }

  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
