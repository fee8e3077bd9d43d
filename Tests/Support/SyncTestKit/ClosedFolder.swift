import Foundation

/// A folder that the process running the tests cannot make.
///
/// No mode keeps root out, but the kernel's own tree does; where that is not mounted (a bare chroot), root has none.
package enum ClosedFolder {
  package static var exists: Bool { geteuid() != 0 || FileManager.default.fileExists(atPath: "/sys/kernel") }

  /// - Parameter home: where a user other than root gets one.
  package static func path(in home: String) throws -> String {
    if geteuid() == 0 { return "/sys/kernel/syncctl-test" }
    let closed = home + "/closed"
    try FileManager.default.createDirectory(
      atPath: closed, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o500])
    return closed + "/data"
  }
}
