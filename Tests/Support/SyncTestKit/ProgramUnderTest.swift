import Foundation
import Subprocess
import Synchronization
import SystemPackage

package struct ProgramUnderTest: Sendable {
  package let path: String
  private static let outputLimit = 64 << 20

  package init(path: String) { self.path = path }

  /// Finds a program in the folder of the tests or in `SYNCCTL_TEST_BINARIES`. Throws `ProgramMissing`.
  package static func named(_ name: String) throws -> ProgramUnderTest {
    let chosen = ProcessInfo.processInfo.environment["SYNCCTL_TEST_BINARIES"].map { [$0] }
    // The test bundle is the program itself on Linux, and an argument of the runner on macOS.
    let bundles = CommandLine.arguments.compactMap { argument in
      argument.range(of: ".xctest").map { String(argument[..<$0.lowerBound]) }
    }
    let folders = chosen ?? bundles.map { URL(filePath: $0).deletingLastPathComponent().path }
    let paths = folders.map { "\($0)/\(name)" }
    guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else {
      throw ProgramMissing(name: name, places: folders)
    }
    return ProgramUnderTest(path: path)
  }

  /// - Parameters:
  ///   - environment: The program's environment. `PATH` is inherited if it is missing.
  ///   - body: Runs while the program runs. `run` does not end the program's child processes.
  /// - Throws: `FailedDuringProgram` if `body` throws, after the program has ended.
  package func run(
    _ arguments: [String], environment: [String: String], in folder: String,
    while body: (RunningProgram) async throws -> Void = { _ in }
  ) async throws -> ProgramResult {
    var variables: [Environment.Key: String] = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
    for (name, value) in environment { variables[Environment.Key(stringLiteral: name)] = value }
    var options = PlatformOptions()
    // If a test is cancelled while its program hangs, this sequence ends the program.
    options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .milliseconds(200))]
    let start = ContinuousClock.now
    let failure = Mutex<(any Error)?>(nil)
    let outcome = try await Subprocess.run(
      .path(FilePath(path)), arguments: Arguments(arguments), environment: .custom(variables),
      workingDirectory: FilePath(folder), platformOptions: options, input: .none,
      output: .bytes(limit: Self.outputLimit), error: .bytes(limit: Self.outputLimit)
    ) { execution in
      let program = RunningProgram(identifier: execution.processIdentifier.value)
      do {
        try await body(program)
      } catch let error where !(error is CancellationError) {
        // The program ends here, so that its output is complete and can explain the error.
        failure.withLock { $0 = error }
        program.signal(SIGTERM)
        try await Task.sleep(for: .milliseconds(200))
        program.signal(SIGKILL)
      }
    }
    let result = ProgramResult(
      end: ProgramResult.End(outcome.terminationStatus),
      standardOutput: String(decoding: outcome.standardOutput, as: UTF8.self),
      standardError: String(decoding: outcome.standardError, as: UTF8.self), duration: .now - start)
    if let error = failure.withLock({ $0 }) { throw FailedDuringProgram(error: error, result: result) }
    return result
  }
}

/// The error of a test's body that ran beside a program, with the program's standard error, which often explains it.
package struct FailedDuringProgram: Error, CustomStringConvertible {
  package let error: any Error
  package let result: ProgramResult

  package var description: String {
    "\(error)\nThe program ended with \(result.end). Its standard error:\n\(result.standardError)"
  }
}

package struct ProgramMissing: Error, CustomStringConvertible {
  let name: String
  let places: [String]

  package var description: String {
    "no program \(name) in \(places.joined(separator: ", ")); build the package, or name its folder in SYNCCTL_TEST_BINARIES"
  }
}

package struct RunningProgram: Sendable {
  package let identifier: Int32

  package init(identifier: Int32) { self.identifier = identifier }

  package func signal(_ number: Int32) { kill(identifier, number) }

  /// Waits for the end and returns the peak resident memory in bytes; 0 if the system does not report it.
  ///
  /// The kernel records the peak. `wait4` is not used, because its peak includes the memory of the process that started
  /// the program.
  package func peakMemory() async throws -> Int { try await peak(of: "VmHWM:") }

  /// The peak without mapped files, because their size depends on the build.
  package func peakOwnMemory() async throws -> Int { try await peak(of: "RssAnon:") }

  private func peak(of field: String) async throws -> Int {
    var peak = 0
    while let kilobytes = status(field) {
      peak = max(peak, kilobytes * 1024)
      try await Task.sleep(for: .milliseconds(5))
    }
    return peak
  }

  /// Returns a field of `status` in proc(5), in KiB; `nil` after the end of the process.
  private func status(_ field: String) -> Int? {
    let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix(field) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }
}

package struct ProgramResult: Sendable {
  package enum End: Sendable, Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  package var end: End
  package var standardOutput: String
  package var standardError: String
  package var duration: Duration

  /// The errors on standard error. The hint of an error follows after a semicolon.
  package var errorLines: [String] {
    standardError.split(separator: "\n").reduce(into: []) { errors, line in
      if line.hasPrefix("error:") {
        errors.append(String(line))
      } else if line.hasPrefix("hint: "), let last = errors.indices.last {
        errors[last] += "; " + line.dropFirst("hint: ".count)
      }
    }
  }
}

extension ProgramResult.End {
  fileprivate init(_ status: TerminationStatus) {
    switch status {
    case .exited(let code): self = .exit(Int32(code))
    case .signaled(let number): self = .signal(Int32(number))
    }
  }
}
