import Foundation

/// The role of the code under test: the owner, or `SYNCCTL_TEST_ROLE` with the rights of `sql/roles.sql`.
package enum ProductRole {
  package static let name = ProcessInfo.processInfo.environment["SYNCCTL_TEST_ROLE"].flatMap { $0.isEmpty ? nil : $0 }

  /// A user with the role `name`. A pooler drops startup options, so the tests do not set the role there.
  package static var login: String? { name.map { "\($0)_login" } }
}
