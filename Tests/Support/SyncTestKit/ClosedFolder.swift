import Foundation

/// A folder that the test process cannot create. Root ignores permissions, so for root the folder is in `/sys/kernel`,
/// where even root cannot create folders. A chroot can lack `/sys/kernel`.
package enum ClosedFolder {
  package static var exists: Bool { geteuid() != 0 || FileManager.default.fileExists(atPath: "/sys/kernel") }

  /// - Parameter home: The parent folder for users other than root.
  package static func path(in home: String) throws -> String {
    if geteuid() == 0 { return "/sys/kernel/syncctl-test" }
    let closed = home + "/closed"
    try FileManager.default.createDirectory(
      atPath: closed, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o500])
    return closed + "/data"
  }
}
