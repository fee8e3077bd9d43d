import ServiceLifecycle
import SyncCore
import SyncPostgres
import SyncTelemetry
import SyncWeb

struct WebProgram: ServiceLifecycle.Service {
  private let site: WebSite
  private let sessions: WebSessions
  private let configuration: @Sendable () -> Configuration

  /// - Parameter configuration: Returns the configuration in force.
  /// - Throws: `SyncError` `.configuration` if the address needs settings that are missing.
  init(
    at address: ListenAddress, showsPictures: Bool, clock: SystemClock,
    said: @escaping @Sendable (String) -> Void, configuration: @escaping @Sendable () -> Configuration
  ) throws(SyncError) {
    let current = configuration()
    let rules = try current.web.rules(at: address)
    sessions = WebSessions(rules, clock: clock, said: said)
    site = try WebSite(
      SharedPages(configuration: configuration).parts(current.sources), actions: SharedPages.actions, rules: rules,
      showsPictures: showsPictures && current.web.showsPictures.value, sessions: sessions, safe: TerminalText.safe)
    self.configuration = configuration
  }

  var answers: HealthListener.Pages { { [site] request, context in try await site.respond(to: request, context) } }

  /// Returns the URL of the first page. At an address other than loopback, pages answer only to the names of
  /// `web.hosts`.
  func url(at address: ListenAddress) -> String {
    guard !address.isLoopback, let host = configuration().web.hosts.value.first else { return "http://\(address)/" }
    return WebRules.name(of: host) == host ? "http://\(host):\(address.port)/" : "http://\(host)/"
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { [sessions, configuration] in
      await sessions.keep { body in
        let options = Database.Options(
          reconnectDeadline: Limits.pagePatience, statementTimeout: Limits.pageStatementTimeout)
        try await Context(configuration: configuration()).withExistingMirror(options: options, body)
      }
    }
  }
}
