import Foundation

/// The resources that this process uses.
package struct ProcessSample: Sendable, Equatable {
  /// The CPU time of program and system, in seconds.
  package var cpu: Double
  /// Bytes.
  package var residentMemory: Double
  /// Bytes.
  package var virtualMemory: Double
  /// Seconds since 1970.
  package var startTime: Double
  package var openDescriptors: Double?
  package var mostDescriptors: Double?

  /// The units of the numbers in `/proc/self/stat`.
  package struct Units: Sendable {
    package var ticksPerSecond: Double
    package var pageBytes: Double
    /// Seconds since 1970.
    package var bootTime: Double

    /// `bootTime` is in seconds since 1970.
    package init(ticksPerSecond: Double, pageBytes: Double, bootTime: Double) {
      self.ticksPerSecond = ticksPerSecond
      self.pageBytes = pageBytes
      self.bootTime = bootTime
    }
  }

  /// Parses `/proc/self/stat` (<https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html>). Returns `nil` if a field
  /// is missing. The numbers of descriptors stay `nil`.
  package init?(stat: String, units: Units) {
    // The second field is the program's name in parentheses, which can contain blanks and parentheses.
    guard let end = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[stat.index(after: end)...].split(whereSeparator: \.isWhitespace)
    func field(_ number: Int) -> Double? { fields.indices.contains(number - 3) ? Double(fields[number - 3]) : nil }
    guard let user = field(14), let system = field(15), let start = field(22), let virtual = field(23),
      let resident = field(24)
    else { return nil }
    cpu = (user + system) / units.ticksPerSecond
    startTime = units.bootTime + start / units.ticksPerSecond
    virtualMemory = virtual
    residentMemory = resident * units.pageBytes
  }

  /// Returns the present resources. Returns `nil` on systems other than Linux, or if `/proc` cannot be read.
  package static func current() -> ProcessSample? {
    #if os(Linux)
      guard let stat = text("/proc/self/stat"), let units, var sample = ProcessSample(stat: stat, units: units)
      else { return nil }
      sample.openDescriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))
        .map { Double($0.count - 1) }
      sample.mostDescriptors = mostDescriptors()
      return sample
    #else
      return nil
    #endif
  }

  var values: [(MetricFamily, Double)] {
    let all: [(MetricFamily, Double?)] = [
      (.processCPU, cpu), (.processResidentMemory, residentMemory), (.processVirtualMemory, virtualMemory),
      (.processOpenDescriptors, openDescriptors), (.processMostDescriptors, mostDescriptors),
      (.processStartTime, startTime),
    ]
    return all.compactMap { family, value in value.map { (family, $0) } }
  }

  #if os(Linux)
    private static let units: Units? = {
      let boot = text("/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }
      guard let bootTime = boot.flatMap({ Double($0.dropFirst("btime ".count)) }) else { return nil }
      return Units(
        ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))), pageBytes: Double(sysconf(Int32(_SC_PAGESIZE))),
        bootTime: bootTime)
    }()

    private static func text(_ path: String) -> String? {
      guard let file = FileHandle(forReadingAtPath: path), let data = try? file.readToEnd() else { return nil }
      return String(decoding: data, as: UTF8.self)
    }

    private static func mostDescriptors() -> Double? {
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
      return limit.rlim_cur == rlim_t.max ? .infinity : Double(limit.rlim_cur)
    }
  #endif
}
