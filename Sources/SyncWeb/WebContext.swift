import Hummingbird
import HummingbirdCore
import SyncTelemetry

/// The context of a request for a page.
struct WebContext: RequestContext {
  typealias Source = ListenerContext

  var coreContext: CoreRequestContextStorage
  /// The address of the connection's other end.
  let client: String?
  /// The path and the query, as in the request. The request that pages see has the path without `web.path`.
  var target = "/"
  /// Whether the request's path is below `web.path`.
  var isBelowPath = true
  var sender = WebRules.Sender.others
  var rights = WebRights()

  init(source: ListenerContext) {
    coreContext = source.coreContext
    client = source.client
  }
}
