import Foundation

/// Whose rights the code under test has: the owner's, or those of the role in `SYNCCTL_TEST_ROLE`, which
/// `sql/roles.sql` grants. Tests arrange and check as the owner.
package enum ProductRole {
  /// nil for the owner.
  package static let name = ProcessInfo.processInfo.environment["SYNCCTL_TEST_ROLE"].flatMap { $0.isEmpty ? nil : $0 }

  /// A user of that role. Not `SET ROLE` at the start of a session: a pooler hands no such option on.
  package static var login: String? { name.map { "\($0)_login" } }
}
