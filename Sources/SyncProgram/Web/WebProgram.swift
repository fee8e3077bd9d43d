import Foundation
import ServiceLifecycle
import SyncCore
import SyncPostgres
import SyncTelemetry
import SyncWeb
import Synchronization

/// The pages at one address. The configuration can be reloaded, but not what is decided at the start: the rights, the
/// path and the pages.
final class WebProgram: ServiceLifecycle.Service {
  private let site: WebSite
  private let sessions: WebSessions
  private let configuration: @Sendable () -> Configuration
  private let said: @Sendable (String) -> Void
  private let folder: WebFolder
  /// `nil` if pages need no token, or if the token could not be read.
  private let token: String?
  private let base: String
  private let hosts: [String]
  private let announcement = Mutex<WebAnnouncement?>(nil)
  private let confirmations = Confirmations()

  /// - Parameters:
  ///   - usesToken: Whether browsers of this machine must sign in at a loopback address.
  ///   - notice: Returns a sentence for all pages, such as about a changed configuration file; `nil` for none.
  ///   - said: Reports problems with which the pages can be served.
  ///   - configuration: Returns the configuration in force.
  /// - Throws: `SyncError` `.configuration` if the address needs settings that are missing.
  init(
    at address: ListenAddress, showsPictures: Bool, usesToken: Bool, folder: WebFolder = .own, clock: SystemClock,
    notice: @escaping @Sendable () -> String?, said: @escaping @Sendable (String) -> Void,
    configuration: @escaping @Sendable () -> Configuration
  ) throws(SyncError) {
    let current = configuration()
    var (token, local): (String?, LocalAccess) = (nil, .everyone)
    if address.isLoopback, usesToken {
      do throws(SyncError) {
        let read = try folder.token()
        token = read
        local = .signedIn(WebSignIn(token: read))
      } catch {
        local = .nobody
        said("\(error), so nobody can sign in, and pages hide notes, searches and hearts")
      }
    }
    let rules = try current.web.rules(at: address, local: local, said: said)
    let sessions = WebSessions(rules, clock: clock, said: said)
    let pages = SharedPages(configuration: configuration, confirmations: confirmations, said: said)
    site = try WebSite(
      pages.parts(current.sources), actions: pages.actions, rules: rules,
      showsPictures: showsPictures && current.web.showsPictures.value,
      pictureOrigins: Self.pictureOrigins(of: current), sessions: sessions, clock: clock, version: Version.text,
      date: { Date() }, notices: { [notice()].compactMap(\.self) }, said: said, safe: TerminalText.safe)
    self.sessions = sessions
    self.configuration = configuration
    self.said = said
    self.folder = folder
    self.token = token
    base = current.web.path.value
    hosts = current.web.hosts.value
  }

  /// Returns the HTTP origins of the configured services on this machine.
  private static func pictureOrigins(of configuration: Configuration) -> Set<String> {
    let services = configuration.sources.flatMap(\.services)
    return Set(services.filter { Origin.isLoopback($0.baseURL) }.map(\.origin).filter { $0.hasPrefix("http://") })
  }

  var answers: HealthListener.Pages { { [site] request, context in try await site.respond(to: request, context) } }

  /// Returns the URL of the first page, without the token. At an address other than loopback, pages answer only to the
  /// names of `web.hosts`.
  func url(at address: ListenAddress) -> String {
    guard !address.isLoopback, let host = hosts.first else { return "http://\(address)\(base)/" }
    return WebRules.name(of: host) == host ? "http://\(host):\(address.port)\(base)/" : "http://\(host)\(base)/"
  }

  /// Returns the URL that signs a browser in. It must not be in a log.
  func signInURL(at address: ListenAddress) -> String {
    token.map { WebSignIn.url(url(at: address), token: $0) } ?? url(at: address)
  }

  /// Stores the address for `syncctl web --url`, until the program ends.
  /// - Parameter forBrowser: Whether a browser is to open the address.
  /// - Returns: A file for the browser, or the URL if it contains no token. `nil` if the file cannot be written.
  func announce(at address: ListenAddress, forBrowser: Bool) -> String? {
    do {
      let new = try folder.announce(signInURL(at: address), forBrowser: forBrowser && token != nil)
      announcement.withLock { $0 = new }
      return token == nil ? url(at: address) : new.page
    } catch {
      if token != nil { said("\(error)") }
      return token == nil ? url(at: address) : nil
    }
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { [sessions, configuration] in
      await sessions.keep { body in
        let options = Database.Options(
          reconnectDeadline: Limits.pageReconnectDeadline, statementTimeout: Limits.pageStatementTimeout)
        try await Context(configuration: configuration()).withExistingMirror(options: options, body)
      }
    }
    await confirmations.stop()
    announcement.withLock { $0 = nil }
  }
}
