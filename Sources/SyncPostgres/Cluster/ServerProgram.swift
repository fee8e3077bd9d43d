import Foundation
import Subprocess
import SyncCore
import SystemPackage

struct ServerProgram: Sendable {
  struct Result: Sendable {
    var succeeded: Bool
    var standardOutput: String
    var everything: String
  }

  struct Context: Sendable {
    /// The user and group to run as, without supplementary groups; `nil` for the current user.
    var user: ServerUser?
    var environment: [String: String]
    /// `/` by default, because `user` may not be able to enter the current folder.
    var workingFolder = "/"
    var clock: any Clock<Duration>
  }

  enum Source: Sendable {
    case text(String)
    case file(FileDescriptor, closes: Bool)
  }

  /// - Parameter output: receives standard output. If it is `nil`, the result contains standard output.
  /// - Throws: `EmbeddedClusterError`: `timeout` after the deadline, `startFailed` if the program cannot run. A program
  ///   that takes too long gets SIGTERM, then SIGKILL 5 s later.
  static func run(
    _ path: String, _ arguments: [String], source: Source = .text(""), output: FileDescriptor? = nil,
    deadline: Duration, in context: Context
  ) async throws -> Result {
    let result = try await withExpiry {
      try await context.clock.sleep(for: deadline)
    } _: {
      try await launch(path, arguments, input: source, output: output, in: context)
    }
    guard let result else {
      try Task.checkCancellation()
      throw EmbeddedClusterError(
        .timeout, "\(path) did not end within \(deadline.components.seconds) s and was stopped",
        hint: "check the machine's load and disks, then retry")
    }
    return result
  }

  private static func launch(
    _ path: String, _ arguments: [String], input source: Source, output: FileDescriptor?, in context: Context
  ) async throws -> Result {
    var options = PlatformOptions()
    options.teardownSequence = [.send(signal: .terminate, allowedDurationToNextStep: .seconds(5))]
    let command = try asUser(context.user, path, arguments, options: &options)

    var environment: [Environment.Key: String] = [:]
    for (name, value) in context.environment {
      environment[Environment.Key(stringLiteral: name)] = value
    }
    do {
      let input: FileDescriptorInput =
        switch source {
        case .text(let text): .fileDescriptor(try standardInput(text), closeAfterSpawningProcess: true)
        case .file(let file, let closes): .fileDescriptor(file, closeAfterSpawningProcess: closes)
        }

      if let output {
        let outcome = try await Subprocess.run(
          .path(FilePath(command.program)), arguments: Arguments(command.arguments), environment: .custom(environment),
          workingDirectory: FilePath(context.workingFolder), platformOptions: options, input: input,
          output: .fileDescriptor(output, closeAfterSpawningProcess: false),
          error: .bytes(limit: Limits.programOutputBytes))
        let errors = String(decoding: outcome.standardError, as: UTF8.self)
        return Result(succeeded: outcome.terminationStatus.isSuccess, standardOutput: "", everything: errors)
      }

      let outcome = try await Subprocess.run(
        .path(FilePath(command.program)), arguments: Arguments(command.arguments), environment: .custom(environment),
        workingDirectory: FilePath(context.workingFolder), platformOptions: options, input: input,
        output: .bytes(limit: Limits.programOutputBytes), error: .bytes(limit: Limits.programOutputBytes))
      let output = String(decoding: outcome.standardOutput, as: UTF8.self)
      let errors = String(decoding: outcome.standardError, as: UTF8.self)
      return Result(
        succeeded: outcome.terminationStatus.isSuccess, standardOutput: output, everything: output + "\n" + errors)
    } catch let error as Errno {
      throw EmbeddedClusterError(
        .startFailed, "cannot write the input of \(path) to /tmp: \(error)", hint: "free space there, then retry")
    } catch let error as SubprocessError {
      try Task.checkCancellation()
      throw EmbeddedClusterError(
        .startFailed, "cannot run \(path): \(error)", hint: "check that the program exists and is executable")
    }
  }

  /// Writes the text to a file without a name, because Subprocess 1.0.2 ends this process if the program does not read
  /// a `.string`.
  private static func standardInput(_ text: String) throws -> FileDescriptor {
    // The file is in /tmp, because the data folder may not exist yet.
    let file = try FileOperations.nameless(in: "/tmp")
    do {
      try file.writeAll(text.utf8)
      try file.seek(offset: 0, from: .start)
      return file
    } catch {
      try? file.close()
      throw error
    }
  }

  /// Changes the user with `setpriv` on Linux. With `PlatformOptions`, the child would call `setgroups` after a bare
  /// `clone3`, and the C library would wait forever for the parent's threads.
  private static func asUser(
    _ user: ServerUser?, _ path: String, _ arguments: [String], options: inout PlatformOptions
  ) throws -> (program: String, arguments: [String]) {
    guard let user else { return (path, arguments) }
    #if os(Linux)
      let candidates = ["/usr/bin/setpriv", "/bin/setpriv"]
      guard let program = candidates.first(where: { (path: String) in access(path, X_OK) == 0 }) else {
        throw EmbeddedClusterError(
          .binariesMissing, "root needs the program setpriv to run the database server as user \(user.name)",
          hint: "install the package util-linux, or run as an ordinary user")
      }
      let identity = ["--reuid=\(user.id)", "--regid=\(user.group)", "--clear-groups", "--"]
      return (program, identity + [path] + arguments)
    #else
      options.userID = user.id
      options.groupID = user.group
      options.supplementaryGroups = []
      return (path, arguments)
    #endif
  }
}
