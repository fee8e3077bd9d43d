package import SyncPostgres

/// A form that changes the mirror. After it, the browser returns to the page of the form, or opens another page.
package struct WebAction: Sendable {
  /// Changes the mirror as the request asks.
  package typealias Perform = @Sendable (WebRequest, Database) async throws -> Void
  /// Changes the mirror as the request asks, and returns the path of the page that the browser opens. The path begins
  /// with `/` and does not contain `web.path`.
  package typealias Operate = @Sendable (WebRequest, Database) async throws -> String

  let path: String
  /// Whether the action needs the owner's rights, and the rights of a worker in the database.
  let isOperation: Bool
  /// Returns the path of the next page; `nil` for the page of the form.
  let perform: @Sendable (WebRequest, Database) async throws -> String?

  /// Creates an action for forms that are sent to `path`, which begins with `/` and does not contain `web.path`.
  /// - Parameter perform: Gets the form's fields in `WebRequest.query`. It runs only if the sender can change the
  ///   mirror.
  package init(_ path: String, perform: @escaping Perform) {
    self.path = path
    isOperation = false
    self.perform = { request, database in
      try await perform(request, database)
      return nil
    }
  }

  /// Creates an action that operates the mirror, for forms that are sent to `path`, as above.
  ///
  /// Only a browser that has signed in can send the form. The password of `web.password_file` does not suffice.
  /// - Parameter perform: Gets a connection with the rights of `syncctl_worker`.
  package init(operating path: String, perform: @escaping Operate) {
    self.path = path
    isOperation = true
    self.perform = perform
  }
}
