import Foundation

/// The role of the code under test: the owner, or `SYNCCTL_TEST_ROLE` with the rights of `sql/roles.sql`.
package enum ProductRole {
  /// `nil` for the owner.
  package static let name = ProcessInfo.processInfo.environment["SYNCCTL_TEST_ROLE"].flatMap { $0.isEmpty ? nil : $0 }

  /// A user with the role `name`. The tests do not set the role in the startup options, because a pooler drops these.
  package static var login: String? { name.map { "\($0)_login" } }
}
