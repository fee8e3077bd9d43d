import HTTPTypes
package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTPTypes
import Synchronization

/// Closes accepted HTTP/1 connections even if no task handles them. While a Hummingbird server stops, it drops new
/// connections, and NIO ends the process if a dropped channel was not closed.
package struct AcceptedConnections: ServerChildChannel {
  package typealias Value = AcceptedConnection

  private let http: HTTP1Channel

  package init(_ http: HTTP1Channel) { self.http = http }

  package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
    http.setup(channel: channel, logger: logger).map { AcceptedConnection($0) }
  }

  package func handle(value: AcceptedConnection, logger: Logger) async {
    guard let parts = value.take() else { return }
    await http.handle(value: parts, logger: logger)
  }
}

package final class AcceptedConnection: ServerChildChannelValue {
  typealias Parts = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  package let channel: any Channel
  private let parts: Mutex<Parts?>

  init(_ parts: Parts) {
    channel = parts.channel
    self.parts = Mutex(parts)
  }

  /// Passes the connection to the caller, who must close it. Returns `nil` after the first call.
  func take() -> Parts? {
    parts.withLock { parts in
      defer { parts = nil }
      return parts
    }
  }

  deinit {
    guard let parts = take() else { return }
    Task { try? await parts.executeThenClose { _, _ in } }
  }
}
