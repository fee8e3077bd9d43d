package import Hummingbird

/// The context of a request to the listener.
package struct ListenerContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// The IP address of the connected program, without a port. `nil` if the connection has already ended.
  package let client: String?

  /// Reads the client's address from the connection.
  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    client = source.channel.remoteAddress?.ipAddress
  }
}
