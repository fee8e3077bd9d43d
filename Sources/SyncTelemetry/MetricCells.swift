import CoreMetrics
import Synchronization

/// The value of one metric under one set of labels.
///
/// Code that counts holds the cell and needs no lookup, no text and, except for histograms, no lock.
enum MetricCell {
  case counter(CounterCell)
  case gauge(GaugeCell)
  case histogram(HistogramCell)

  init(_ family: MetricFamily) {
    switch family.kind {
    case .counter: self = .counter(CounterCell())
    case .gauge: self = .gauge(GaugeCell())
    case .histogram: self = .histogram(HistogramCell(buckets: family.buckets))
    }
  }

  var value: MetricValue {
    switch self {
    case .counter(let cell): cell.value
    case .gauge(let cell): .number(cell.value)
    case .histogram(let cell): .histogram(cell.observations)
    }
  }
}

/// What a cell holds at one moment.
enum MetricValue: Sendable, Equatable {
  case count(Int64)
  case number(Double)
  case histogram(Observations)
}

/// Counts up, in whole numbers or fractions. Negative values are ignored, because a falling counter looks like a
/// restart.
final class CounterCell: CounterHandler, FloatingPointCounterHandler {
  private let whole = Atomic<Int64>(0)
  private let parts = AtomicDouble(0)

  var value: MetricValue {
    let whole = whole.load(ordering: .relaxed)
    let parts = parts.value
    return parts == 0 ? .count(whole) : .number(Double(whole) + parts)
  }

  func increment(by amount: Int64) {
    guard amount > 0 else { return }
    var old = whole.load(ordering: .relaxed)
    while true {
      let (sum, overflow) = old.addingReportingOverflow(amount)
      let change = whole.weakCompareExchange(expected: old, desired: overflow ? .max : sum, ordering: .relaxed)
      if change.exchanged { return }
      old = change.original
    }
  }

  func increment(by amount: Double) {
    guard amount > 0, amount.isFinite else { return }
    parts.add(amount)
  }

  func reset() {
    whole.store(0, ordering: .relaxed)
    parts.set(0)
  }
}

/// Holds the last value it was given.
final class GaugeCell: MeterHandler, RecorderHandler {
  private let current = AtomicDouble(0)

  var value: Double { current.value }

  func set(_ value: Int64) { current.set(Double(value)) }
  func set(_ value: Double) { current.set(value) }
  func increment(by amount: Double) { current.add(amount) }
  func decrement(by amount: Double) { current.add(-amount) }
  func record(_ value: Int64) { set(value) }
  func record(_ value: Double) { set(value) }
}

/// What a histogram has seen.
struct Observations: Sendable, Equatable {
  /// By bucket, not yet cumulative; the last one is for values above all bounds.
  var counts: [UInt64]
  var sum = 0.0

  var count: UInt64 { counts.reduce(0, &+) }
}

/// Sorts values into buckets. A timer's are seconds.
final class HistogramCell: RecorderHandler, TimerHandler {
  private let buckets: [Double]
  private let state: Mutex<Observations>

  init(buckets: [Double]) {
    self.buckets = buckets
    state = Mutex(Observations(counts: Array(repeating: 0, count: buckets.count + 1)))
  }

  var observations: Observations { state.withLock { $0 } }

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    // A single one would make the sum useless.
    guard value.isFinite else { return }
    let index = buckets.firstIndex { value <= $0 } ?? buckets.count
    state.withLock { state in
      state.counts[index] &+= 1
      state.sum += value
    }
  }

  /// A clock that was set back may have made it negative.
  func recordNanoseconds(_ duration: Int64) { record(Double(max(0, duration)) / 1e9) }
}

/// Takes what belongs nowhere: a metric that is not in the catalogue, or one set of labels too many.
final class DiscardingCell: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
  func increment(by amount: Int64) {}
  func increment(by amount: Double) {}
  func decrement(by amount: Double) {}
  func set(_ value: Int64) {}
  func set(_ value: Double) {}
  func record(_ value: Int64) {}
  func record(_ value: Double) {}
  func recordNanoseconds(_ duration: Int64) {}
  func reset() {}
}

/// A number that many tasks set and add to.
private struct AtomicDouble: ~Copyable {
  private let bits: Atomic<UInt64>

  init(_ value: Double) {
    bits = Atomic(value.bitPattern)
  }

  var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

  func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

  func add(_ amount: Double) {
    var old = bits.load(ordering: .relaxed)
    while true {
      let sum = Double(bitPattern: old) + amount
      let change = bits.weakCompareExchange(expected: old, desired: sum.bitPattern, ordering: .relaxed)
      if change.exchanged { return }
      old = change.original
    }
  }
}
