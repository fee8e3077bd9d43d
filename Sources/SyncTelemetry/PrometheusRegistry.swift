package import CoreMetrics
import Synchronization

/// All metrics of this process, as swift-metrics' backend, and as text for Prometheus.
///
/// A name that is not in the catalogue, another kind than it has or other labels are errors of the program: they stop a
/// debug build, and are dropped otherwise. Label values may be anything.
package final class PrometheusRegistry: MetricsFactory {
  /// The limits of a family, whatever its labels.
  package struct Limits: Sendable {
    package var labelSetsPerFamily = 2000
    /// Bytes of one label's value; a longer one is cut with `…`.
    package var labelBytes = 256

    package init() {}
  }

  private struct Family {
    let definition: MetricFamily
    var cells: [[String]: MetricCell] = [:]
  }

  private let order: [String]
  private let families: Mutex<[String: Family]>
  private let limits: Limits
  private let processSample: @Sendable () -> ProcessSample?
  private let onMisuse: @Sendable (String) -> Void
  private let dropped = CounterCell()

  /// - Parameters:
  ///   - version: the program's, for `syncctl_build_info`.
  ///   - process: the figures of this process; read at each exposition.
  ///   - onMisuse: called with an error of the program.
  package init(
    version: String, families: [MetricFamily] = MetricFamily.catalogue, limits: Limits = Limits(),
    process: @escaping @Sendable () -> ProcessSample? = { ProcessSample.current() },
    onMisuse: @escaping @Sendable (String) -> Void = { assertionFailure($0) }
  ) {
    self.limits = limits
    self.onMisuse = onMisuse
    processSample = process
    order = families.map(\.name)
    var byName: [String: Family] = [:]
    for family in families {
      // A counter without labels exists from the start, because a rate does not see a counter that appears with 1.
      let cells: [[String]: MetricCell] =
        family.kind == .counter && family.labels.isEmpty ? [[]: MetricCell(family)] : [:]
      byName[family.name] = Family(definition: family, cells: cells)
    }
    if byName[MetricFamily.droppedLabelSets.name] != nil {
      byName[MetricFamily.droppedLabelSets.name]?.cells = [[]: .counter(dropped)]
    }
    self.families = Mutex(byName)
    if order.contains(MetricFamily.buildInfo.name) {
      replace(family: .buildInfo, samples: [([("version", version)], 1)])
    }
  }

  // MARK: Reading

  /// All metrics in the text format; stable in its order, and with a line end at its end.
  ///
  /// - Parameter includingProcess: false where another program adds its own, as node_exporter does: it refuses to
  ///   give out anything when `process_cpu_seconds_total` comes twice.
  package func exposition(includingProcess: Bool = true) -> String {
    // Only the values are taken under the lock: writing them takes longer, and other tasks want to count.
    let snapshot = families.withLock { families in
      order.compactMap { families[$0] }.map { family in
        (family.definition, family.cells.map { ExpositionText.Sample(labels: $0.key, value: $0.value.value) })
      }
    }
    var text = ExpositionText()
    for (family, samples) in snapshot { text.append(family, samples) }
    if includingProcess, let process = processSample() {
      for (family, value) in process.values {
        text.append(family, [ExpositionText.Sample(labels: [], value: .number(value))])
      }
    }
    return text.text
  }

  // MARK: Gauges that are sampled as a whole

  /// Replaces the samples of a family of gauges, so that removed ones do not stay forever.
  ///
  /// Of samples with the same labels the last one counts. A handle to a gauge that is not among them counts nothing.
  package func replace(family: MetricFamily, samples: [(labels: [(String, String)], value: Double)]) {
    let sets: [([String], Double)] = samples.compactMap { sample in
      values(of: family.name, .gauge, sample.labels).map { ($0, sample.value) }
    }
    families.withLock { families in
      guard let old = families[family.name]?.cells else { return }
      var cells: [[String]: MetricCell] = [:]
      for (labels, value) in sets {
        guard cells[labels] != nil || cells.count < limits.labelSetsPerFamily else {
          dropped.increment(by: 1 as Int64)
          continue
        }
        let cell = cells[labels] ?? old[labels] ?? MetricCell(family)
        if case .gauge(let gauge) = cell { gauge.set(value) }
        cells[labels] = cell
      }
      families[family.name]?.cells = cells
    }
  }

  // MARK: Handles

  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    guard case .counter(let cell) = cell(label, .counter, dimensions) else { return DiscardingCell() }
    return cell
  }

  package func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    guard case .counter(let cell) = cell(label, .counter, dimensions) else { return DiscardingCell() }
    return cell
  }

  package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    guard case .gauge(let cell) = cell(label, .gauge, dimensions) else { return DiscardingCell() }
    return cell
  }

  /// - Parameter aggregate: false for what the interface calls a gauge.
  package func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    switch cell(label, aggregate ? .histogram : .gauge, dimensions) {
    case .gauge(let cell): cell
    case .histogram(let cell): cell
    default: DiscardingCell()
    }
  }

  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    guard case .histogram(let cell) = cell(label, .histogram, dimensions) else { return DiscardingCell() }
    return cell
  }

  // Destroying a handle removes nothing: the next one for the same labels continues where it stopped.
  package func destroyCounter(_ handler: any CounterHandler) {}
  package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  package func destroyMeter(_ handler: any MeterHandler) {}
  package func destroyRecorder(_ handler: any RecorderHandler) {}
  package func destroyTimer(_ handler: any TimerHandler) {}

  /// The cell for these labels; nil if it may not be.
  private func cell(_ name: String, _ kind: MetricFamily.Kind, _ labels: [(String, String)]) -> MetricCell? {
    guard let values = values(of: name, kind, labels) else { return nil }
    return families.withLock { families in
      guard let family = families[name] else { return nil }
      if let cell = family.cells[values] { return cell }
      guard family.cells.count < limits.labelSetsPerFamily else {
        dropped.increment(by: 1 as Int64)
        return nil
      }
      let cell = MetricCell(family.definition)
      families[name]?.cells[values] = cell
      return cell
    }
  }

  /// The values in the order of the family's labels; nil, after a report of the misuse, if the labels differ.
  private func values(of name: String, _ kind: MetricFamily.Kind, _ labels: [(String, String)]) -> [String]? {
    guard let family = families.withLock({ $0[name]?.definition }) else {
      onMisuse("the metric \(name) is not in the catalogue")
      return nil
    }
    guard family.kind == kind else {
      onMisuse("the metric \(name) is a \(family.kind.rawValue), not a \(kind.rawValue)")
      return nil
    }
    let given = Dictionary(labels) { $1 }
    let values = family.labels.compactMap { given[$0] }
    guard values.count == family.labels.count, labels.count == values.count else {
      onMisuse("the metric \(name) has the labels \(family.labels), not \(labels.map(\.0))")
      return nil
    }
    return values.map { $0.bounded(toBytes: limits.labelBytes) }
  }
}
