package import SyncPostgres

/// A form that changes the mirror. After it, the browser returns to the page of the form.
package struct WebAction: Sendable {
  /// Changes the mirror as the request asks.
  package typealias Perform = @Sendable (WebRequest, Database) async throws -> Void

  let path: String
  let perform: Perform

  package init(_ path: String, perform: @escaping Perform) {
    self.path = path
    self.perform = perform
  }
}
