import HTTPTypes
package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTPTypes
import Synchronization

/// An HTTP/1 channel for a Hummingbird server that closes accepted connections even if no task handles them.
///
/// While a Hummingbird server stops, it drops new connections, and NIO ends the process if a dropped channel was not
/// closed.
package struct AcceptedConnections: ServerChildChannel {
  package typealias Value = AcceptedConnection

  private let http: HTTP1Channel

  /// Wraps the channel that parses and answers the requests.
  package init(_ http: HTTP1Channel) { self.http = http }

  /// Configures an accepted channel. Hummingbird calls this function on the channel's event loop.
  package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
    http.setup(channel: channel, logger: logger).map { AcceptedConnection($0) }
  }

  /// Answers the connection's requests until it closes. Returns at once if the connection was already handled.
  package func handle(value: AcceptedConnection, logger: Logger) async {
    guard let parts = value.take() else { return }
    await http.handle(value: parts, logger: logger)
  }
}

/// An accepted connection. If it is released before `handle` has taken it, it closes itself.
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
