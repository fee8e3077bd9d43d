import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Hummingbird's HTTP/1 connections, each of which is closed even if nothing handles it.
///
/// A connection that is accepted while the server stops is dropped in the pipeline, and NIO ends the process if its own
/// channel is dropped: the holder has to close it.
struct SimulatorChannel: ServerChildChannel {
  typealias Value = AcceptedConnection

  private let http: HTTP1Channel

  init(_ http: HTTP1Channel) { self.http = http }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
    http.setup(channel: channel, logger: logger).map { AcceptedConnection($0) }
  }

  func handle(value: AcceptedConnection, logger: Logger) async {
    guard let parts = value.take() else { return }
    await http.handle(value: parts, logger: logger)
  }
}

/// A connection between the socket and the task that handles it.
final class AcceptedConnection: ServerChildChannelValue {
  typealias Parts = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  let channel: any Channel
  private let parts: Mutex<Parts?>

  init(_ parts: Parts) {
    channel = parts.channel
    self.parts = Mutex(parts)
  }

  /// Hands it over to the one who closes it; nil the second time.
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
