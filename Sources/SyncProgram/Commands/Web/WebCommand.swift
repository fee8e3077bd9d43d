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
      Pages show the state, runs, favorites, reports and the sources' data. Only programs of this machine can \
      connect, unless --listen names another address and web.hosts the names of this server. Pictures are loaded \
      from the services' servers.

      Examples:
        syncctl web --open
        syncctl web --listen 127.0.0.1:9000 --no-pictures
      """)

  @Option(
    help: ArgumentHelp("Address to listen on; port 0 is any free port.", valueName: "address")
  )
  var listen = "127.0.0.1:8080"

  @Flag(help: "Open the first page in a browser.")
  var open = false

  @Flag(help: "Show no pictures, so that browsers send no request to other servers.")
  var noPictures = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let address = try ListenAddress(listen)
    let configuration = try common.configuration()
    let (streams, clock) = (StandardStreams(), SystemClock())
    let pages = try WebProgram(
      at: address, showsPictures: !noPictures, clock: clock, said: { streams.warn($0) },
      configuration: { configuration })
    try await Context(configuration: configuration).withExistingMirror { _ in }
    let telemetry = Telemetry(configuration.telemetry, format: .text, clock: clock)
    let listener = HealthListener(
      address: address, metrics: { telemetry.exposition() }, health: { .well }, readiness: { .well },
      pages: pages.answers,
      onListening: { [open] address in
        let url = pages.url(at: address)
        streams.note("\(url) (Ctrl-C ends it)")
        if open { Self.openBrowser(at: url, streams) }
      })
    let silent = Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }
    let group = ServiceGroup(configuration: .init(services: [pages, listener], logger: silent))
    let status = try await Signals.stopping(
      within: Limits.stopDeadline, onFirst: { Task { await group.triggerGracefulShutdown() } }, cancels: false,
      { try await group.run() }
    ).exitStatus
    if let status { throw ExitStatus(value: status) }
  }

  private static func openBrowser(at url: String, _ streams: StandardStreams) {
    #if canImport(Darwin)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program, url]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    do { try process.run() } catch { streams.note("the browser could not be opened: \(url)") }
  }
}
