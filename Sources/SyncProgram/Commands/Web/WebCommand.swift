import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import SyncCore
import SyncTelemetry
import SyncWeb

struct WebCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web", abstract: "Show the mirror in a browser, until Ctrl-C.",
    discussion: """
      Pages show the state, runs, favorites, reports and the sources' data. The printed address has a token, which \
      signs the browser in. Without it, pages hide notes, searches and hearts. Only programs of this machine can \
      connect, unless --listen names another address and web.hosts the names of this server. Pictures are loaded \
      from the services' servers.

      Examples:
        syncctl web --open
        syncctl web --url
        syncctl web 9000
        syncctl web --listen 127.0.0.1:9000 --no-pictures
      """)

  @Argument(help: ArgumentHelp("A port of this machine instead of --listen.", valueName: "port"))
  var port: UInt16?

  @Option(
    help: ArgumentHelp(
      "Address to listen on; port 0 is any free port (default: \(Self.standardHost):8080).", valueName: "address"))
  var listen: String?

  @Flag(help: "Open the first page in a browser.")
  var open = false

  @Flag(help: "Print the address of each running server, with its token, and exit.")
  var url = false

  @Flag(help: "Need no token; for a machine with one user.")
  var noToken = false

  @Flag(help: "Show no pictures, so that browsers send no request to other servers.")
  var noPictures = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    if let port, listen != nil {
      throw SyncError(.usage, "\(port) and --listen cannot be combined", hint: "give one of them")
    }
    let address = try ListenAddress(listen ?? "\(Self.standardHost):\(port ?? 8080)")
    let configuration = try common.configuration()
    let (streams, clock) = (StandardStreams(), SystemClock())
    if url {
      for url in try WebFolder.own.running() { try streams.print(line: url) }
      return
    }
    let watch = ConfigurationWatch(configuration.file?.value)
    let pages = try WebProgram(
      at: address, showsPictures: !noPictures, usesToken: !noToken && configuration.web.usesToken.value,
      clock: clock,
      notice: {
        watch.hasChanged
          ? "The configuration file has changed. To show the changes, restart the server of these pages."
          : nil
      }, said: { streams.warn($0) }, configuration: { configuration })
    try await Context(configuration: configuration).withExistingMirror { _ in }
    let telemetry = Telemetry(configuration.telemetry, format: .text, clock: clock)
    let listener = HealthListener(
      address: address, metrics: { telemetry.exposition() }, health: { .well }, readiness: { .well },
      pages: pages.answers,
      onListening: { [open] address in
        let target = pages.announce(at: address, forBrowser: open)
        streams.note(unbroken: "\(pages.signInURL(at: address)) (Ctrl-C ends it)")
        if open, let target { Self.openBrowser(at: target, streams) }
      })
    let silent = Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }
    let group = ServiceGroup(configuration: .init(services: [pages, listener], logger: silent))
    let status = try await Signals.stopping(
      within: Limits.stopDeadline, onFirst: { Task { await group.triggerGracefulShutdown() } }, cancels: false,
      { try await group.run() }
    ).exitStatus
    if let status { throw ExitStatus(value: status) }
  }

  private static let standardHost = "127.0.0.1"

  /// Opens a URL or a file in a browser. Reports a failure, and does not wait for the browser.
  private static func openBrowser(at target: String, _ streams: StandardStreams) {
    #if canImport(Darwin)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    let failure: @Sendable (String) -> Void = { reason in
      streams.warn("no browser could be opened (\(reason)); open the printed address in one")
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program, target]
    // A browser of the terminal must not read the keys of this program.
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { process in
      // env(1) exits with 127 if there is no such program.
      switch process.terminationStatus {
      case 0: break
      case 127: failure("\(program) is not installed")
      case let status: failure("\(program) ended with status \(status)")
      }
    }
    do { try process.run() } catch { failure("\(error.localizedDescription)") }
  }
}
