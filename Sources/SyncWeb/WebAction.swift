package import SyncPostgres

/// A form that changes the mirror. After it, the browser returns to the page of the form.
package struct WebAction: Sendable {
  /// Changes the mirror as the request asks.
  package typealias Perform = @Sendable (WebRequest, Database) async throws -> Void

  let path: String
  let perform: Perform

  /// Creates an action for forms that are sent to `path`, which begins with `/` and does not contain `web.path`.
  /// - Parameter perform: Gets the form's fields in `WebRequest.query`. It runs only if the sender can change the
  ///   mirror.
  package init(_ path: String, perform: @escaping Perform) {
    self.path = path
    self.perform = perform
  }
}
