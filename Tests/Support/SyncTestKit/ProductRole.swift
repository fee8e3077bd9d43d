import Foundation

/// The role of the code under test: the owner, or `SYNCCTL_TEST_ROLE` with the rights of `sql/roles.sql`. Tests arrange
/// and check as the owner.
package enum ProductRole {
  /// Nil for the owner.
  package static let name = ProcessInfo.processInfo.environment["SYNCCTL_TEST_ROLE"].flatMap { $0.isEmpty ? nil : $0 }

  /// A user of that role. Not `SET ROLE` in the startup options, because a pooler does not pass them on.
  package static var login: String? { name.map { "\($0)_login" } }
}
