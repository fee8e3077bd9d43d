import Foundation
import SyncTelemetry
import Testing

@Suite("Counting")
struct PrometheusRegistryTests {
  private func registry(limit: Int = 2000) -> PrometheusRegistry {
    PrometheusRegistry(version: "1.2.3", mostLabelSets: limit, process: { nil })
  }

  private func lines(_ registry: PrometheusRegistry, _ prefix: String) -> [String] {
    registry.exposition().split(separator: "\n").map(String.init).filter { $0.hasPrefix(prefix) }
  }

  @Test("the version and counters without labels exist from the start")
  func fresh() {
    let registry = registry()
    let samples = registry.exposition().split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(
      samples == [
        #"syncctl_build_info{version="1.2.3"} 1"#, "syncctl_database_outages_total 0",
        "syncctl_metrics_dropped_label_sets_total 0",
      ])
  }

  @Test("a counter never falls, whatever it is given")
  func monotonous() {
    let registry = registry()
    for amount in [0.5, -1, .nan, .infinity, 0.25] { registry.count(.permitWait, ["a"], by: amount) }
    registry.begin(.permitWait, ["a"])
    #expect(lines(registry, "syncctl_permit_wait") == [#"syncctl_permit_wait_seconds_total{source="a"} 0.75"#])
  }

  @Test("a gauge has its last value")
  func gauges() {
    let registry = registry()
    for value in [5.0, 4] { registry.set(.databaseConnections, to: value) }
    #expect(lines(registry, "syncctl_database_connections") == ["syncctl_database_connections 4"])
  }

  @Test("nothing is lost when many count at once")
  func concurrency() async throws {
    let registry = registry()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<5000 {
            registry.count(.requests, ["a", "200"])
            registry.count(.permitWait, ["a"], by: 0.5)
            registry.time(.requestDuration, ["a"], number % 2 == 0 ? .milliseconds(250) : .seconds(2))
            if number % 1000 == task { _ = registry.exposition() }
          }
        }
      }
    }
    #expect(lines(registry, "syncctl_requests_total") == [#"syncctl_requests_total{origin="a",status="200"} 40000"#])
    #expect(lines(registry, "syncctl_permit_wait") == [#"syncctl_permit_wait_seconds_total{source="a"} 20000"#])
    let histogram = lines(registry, "syncctl_request_duration_seconds")
    #expect(histogram.contains(#"syncctl_request_duration_seconds_bucket{origin="a",le="0.25"} 20000"#))
    #expect(histogram.contains(#"syncctl_request_duration_seconds_bucket{origin="a",le="+Inf"} 40000"#))
    #expect(histogram.suffix(2).first == #"syncctl_request_duration_seconds_sum{origin="a"} 45000"#)
    #expect(histogram.last == #"syncctl_request_duration_seconds_count{origin="a"} 40000"#)
  }

  @Test("no exposition shows a histogram whose parts disagree")
  func consistency() async {
    let registry = registry()
    registry.time(.runDuration, ["a"], .seconds(1))
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for _ in 0..<20_000 { registry.time(.runDuration, ["a"], .seconds(1)) } }
      for _ in 0..<200 {
        let histogram = lines(registry, "syncctl_run_duration_seconds")
        let numbers = histogram.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(Set(numbers).count == 1, "\(histogram)")
      }
    }
  }

  @Test("clocks that went backwards")
  func oddObservations() {
    let registry = registry()
    for seconds in [-5, 3] { registry.time(.requestDuration, ["a"], .seconds(seconds)) }
    let histogram = lines(registry, "syncctl_request_duration_seconds")
    #expect(histogram.suffix(2).map { $0.split(separator: " ").last } == ["3", "2"])
  }

  @Test("samples removed from a family that is replaced are removed")
  func replace() {
    let registry = registry()
    func show(_ samples: [(String, Double)]) -> [String] {
      registry.replace(family: .streamAge, samples: samples.map { (["jikan", $0.0], $0.1) })
      return lines(registry, "syncctl_stream_age_seconds")
    }
    #expect(
      show([("b", 1), ("a", 2), ("b", 3)]) == [
        #"syncctl_stream_age_seconds{source="jikan",stream="a"} 2"#,
        #"syncctl_stream_age_seconds{source="jikan",stream="b"} 3"#,
      ])
    #expect(show([("b", 4.5)]) == [#"syncctl_stream_age_seconds{source="jikan",stream="b"} 4.5"#])
    #expect(show([]) == [])
    #expect(!registry.exposition().contains("stream_age"), "a family without samples is not announced")
  }

  @Test("a family takes so many label sets, and what is dropped is counted")
  func bound() {
    let registry = registry(limit: 3)
    for status in 200..<210 { registry.count(.requests, ["a", "\(status)"]) }
    registry.count(.requests, ["a", "200"])
    #expect(lines(registry, "syncctl_requests_total").count == 3)
    #expect(lines(registry, "syncctl_requests_total").first?.hasSuffix(" 2") == true)
    registry.replace(family: .jobLag, samples: (0..<5).map { (["\($0)"], 0) })
    #expect(lines(registry, "syncctl_job_lag").count == 3)
    #expect(lines(registry, "syncctl_metrics_dropped") == ["syncctl_metrics_dropped_label_sets_total 9"])
  }

  @Test("a label's value has an end")
  func longLabel() throws {
    let registry = registry()
    registry.replace(family: .jobLag, samples: [([String(repeating: "é", count: 100_000)], 0)])
    let line = try #require(lines(registry, "syncctl_job_lag").first)
    #expect(line.utf8.count < 300)
    #expect(line.contains("éé…\""))
  }

  #if DEBUG
    @Test("a debug build stops where the program gives a metric other labels")
    func misuseInDebug() async {
      await #expect(processExitsWith: .failure) { PrometheusRegistry(version: "1").count(.retries) }
    }
  #endif

  @Test("names, units and labels follow Prometheus' rules")
  func catalogue() {
    let families = MetricFamily.catalogue + MetricFamily.process
    #expect(Set(families.map(\.name)).count == families.count)
    for family in families {
      #expect(family.name.wholeMatch(of: /(syncctl|process)_[a-z][a-z0-9_]*/) != nil, "\(family.name)")
      #expect(family.name.hasSuffix("_total") == (family.type == .counter), "\(family.name)")
      #expect(family.help.hasSuffix(".") && !family.help.contains("\n"), "\(family.name)")
      #expect(family.labels.allSatisfy { $0.wholeMatch(of: /[a-z][a-z_]*/) != nil && $0 != "le" }, "\(family.name)")
      #expect(Set(family.labels).count == family.labels.count)
      #expect(family.buckets.isEmpty == (family.type != .histogram))
      #expect(family.buckets == Array(Set(family.buckets)).sorted() && family.buckets.allSatisfy(\.isFinite))
    }
  }

  @Test("promtool has nothing to say", .enabled(if: Promtool.path != nil, "promtool is not on the PATH"))
  func promtool() throws {
    let registry = PrometheusRegistry(version: "1.2.3")
    SampleMetrics.record(in: registry)
    let (status, output) = try Promtool.check(registry.exposition())
    #expect(status == 0 && output.isEmpty, "\(output)")
  }
}

enum SampleMetrics {
  static func record(in registry: PrometheusRegistry) {
    for family in MetricFamily.catalogue where family != .droppedLabelSets && family != .buildInfo {
      for value in ["plain", "hostile \"\\\n\r\u{1B}é🎬"] {
        let labels = family.labels.map { _ in value }
        switch family.type {
        case .counter: registry.count(family, labels, by: 3)
        case .gauge: registry.set(family, labels, to: 1_795_294_385.25)
        case .histogram: registry.time(family, labels, .milliseconds(1_500))
        }
      }
    }
    registry.replace(family: .jobLag, samples: [(["nan"], .nan), (["inf"], .infinity)])
  }
}

enum Promtool {
  static let path: String? = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map { "\($0)/promtool" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  static func check(_ text: String) throws -> (status: Int32, output: String) {
    try withTemporaryFolder { folder in
      try text.write(toFile: folder + "/metrics", atomically: true, encoding: .utf8)
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      let command = #""$0" check metrics < "$1" > "$2" 2>&1"#
      process.arguments = ["-c", command, path ?? "", folder + "/metrics", folder + "/out"]
      try process.run()
      process.waitUntilExit()
      return (process.terminationStatus, try String(contentsOfFile: folder + "/out", encoding: .utf8))
    }
  }
}
