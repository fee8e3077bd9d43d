import Foundation
import SyncTelemetry
import Testing

@Suite("What Prometheus reads")
struct ExpositionTests {
  private static let hits = MetricFamily("hits_total", .counter, labels: ["origin", "status"], help: "Requests.")
  private static let outages = MetricFamily("outages_total", .counter, help: "Outages.")
  private static let level = MetricFamily("level", .gauge, labels: ["name"], help: "A level.")
  private static let up = MetricFamily("up", .gauge, help: #"A back\slash, a "quote" and"# + "\na line end.")
  private static let duration = MetricFamily(
    "duration_seconds", .histogram, labels: ["origin"], buckets: [0.25, 1, 2.5], help: "Time.")

  private static func registry(
    _ families: [MetricFamily] = [hits, outages, level, up, duration], process: ProcessSample? = nil
  ) -> PrometheusRegistry { PrometheusRegistry(version: "1", families: families, process: { process }) }

  @Test("families in the order of the catalogue, label sets in that of their values")
  func golden() {
    let registry = Self.registry()
    for milliseconds in [125, 250, 375, 2_000, 60_000] {
      registry.time(Self.duration, ["jikan"], .milliseconds(milliseconds))
    }
    registry.set(Self.up, to: 1)
    registry.count(Self.hits, ["jikan", "500"])
    registry.count(Self.hits, ["jikan", "200"], by: 12)
    registry.count(Self.hits, ["apple", "error"], by: 3)
    #expect(
      registry.exposition() == #"""
        # HELP hits_total Requests.
        # TYPE hits_total counter
        hits_total{origin="apple",status="error"} 3
        hits_total{origin="jikan",status="200"} 12
        hits_total{origin="jikan",status="500"} 1
        # HELP outages_total Outages.
        # TYPE outages_total counter
        outages_total 0
        # HELP up A back\\slash, a "quote" and\na line end.
        # TYPE up gauge
        up 1
        # HELP duration_seconds Time.
        # TYPE duration_seconds histogram
        duration_seconds_bucket{origin="jikan",le="0.25"} 2
        duration_seconds_bucket{origin="jikan",le="1"} 3
        duration_seconds_bucket{origin="jikan",le="2.5"} 4
        duration_seconds_bucket{origin="jikan",le="+Inf"} 5
        duration_seconds_sum{origin="jikan"} 62.75
        duration_seconds_count{origin="jikan"} 5

        """#)
    #expect(registry.exposition() == registry.exposition())
  }

  @Test(
    "label values are escaped",
    arguments: [
      (#"a\b"#, #"a\\b"#), (#"say "hi""#, #"say \"hi\""#), ("two\nlines", #"two\nlines"#), ("\r\n", "\r\\n"),
      ("}", "}"), ("é🎬", "é🎬"), ("", ""), ("\u{1B}[31m", "\u{1B}[31m"),
    ])
  func labels(_ value: String, _ expected: String) {
    let registry = Self.registry([Self.level])
    registry.replace(family: Self.level, samples: [([value], 1)])
    #expect(registry.exposition().hasSuffix("\nlevel{name=\"\(expected)\"} 1\n"))
    #expect(registry.exposition().utf8.count { $0 == 0x0A } == 3)
  }

  @Test(
    "numbers",
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (-17, "-17"), (0.5, "0.5"), (1e15, "1000000000000000"),
      (1_795_294_385.123, "1795294385.123"), (9.2e18, "9200000000000000000"), (1e300, "1e+300"), (1e-9, "1e-09"),
      (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"), (-0x1p63, "-9.223372036854775808e+18"),
    ] as [(Double, String)])
  func numbers(_ value: Double, _ expected: String) throws {
    let registry = Self.registry([Self.level])
    registry.replace(family: Self.level, samples: [(["x"], value)])
    let text = try #require(registry.exposition().split(separator: " ").last).dropLast()
    if value.isFinite, abs(value) >= 0x1p63 {
      #expect(Double(text) == value)
    } else {
      #expect(text == expected)
    }
  }

  @Test("the figures of the process come last, and can be omitted")
  func process() throws {
    let stat = "7 (a (b) c) S 1 7 7 0 -1 0 1 2 3 4 150 50 0 0 20 0 5 0 2000 1048576 300 18446744073709551615"
    let units = ProcessSample.Units(ticksPerSecond: 100, pageBytes: 4096, bootTime: 1_700_000_000)
    var sample = try #require(ProcessSample(stat: stat, units: units))
    sample.openDescriptors = 12
    let registry = Self.registry([Self.outages], process: sample)
    #expect(registry.exposition(includingProcess: false).hasSuffix("\noutages_total 0\n"))
    let lines = registry.exposition().split(separator: "\n").dropFirst(3).filter { !$0.hasPrefix("#") }
    #expect(
      lines == [
        "process_cpu_seconds_total 2", "process_resident_memory_bytes 1228800",
        "process_virtual_memory_bytes 1048576", "process_open_fds 12", "process_start_time_seconds 1700000020",
      ])
  }

  @Test("a line that is none of /proc/self/stat gives nothing", arguments: ["", "7 (x", "7 (x) S 1 2", "7 x S 1"])
  func noStat(_ text: String) {
    let units = ProcessSample.Units(ticksPerSecond: 100, pageBytes: 4096, bootTime: 0)
    #expect(ProcessSample(stat: text, units: units) == nil)
  }

  #if os(Linux)
    @Test("this process")
    func thisProcess() throws {
      let sample = try #require(ProcessSample.current())
      #expect(sample.residentMemory > 1_000_000)
      #expect(sample.virtualMemory >= sample.residentMemory)
      #expect(abs(sample.startTime - Date().timeIntervalSince1970) < 3600)
      #expect(try #require(sample.mostDescriptors) >= 64)
      // Other tests can close descriptors between two samples, but not in each attempt.
      let areCounted = try (0..<100).contains { _ in
        let before = try #require(ProcessSample.current()?.openDescriptors)
        let opened = (0..<400).map { _ in dup(0) }
        defer { opened.forEach { close($0) } }
        let after = try #require(ProcessSample.current()?.openDescriptors)
        return after > before + 200
      }
      #expect(areCounted)
    }
  #endif
}
