import Foundation
import SyncCore
import SystemPackage

package struct BackupFile: Sendable {
  let descriptor: FileDescriptor

  package init(reading path: String) throws {
    do throws(Errno) {
      descriptor = path == "-" ? .standardInput : try FileOperations.opened(path, .readOnly, [.closeOnExec])
    } catch {
      throw SyncError(
        .usage, "\(Excerpt.of(path)) cannot be read: \(error)", hint: "give a file that syncctl db backup wrote, or -")
    }
  }

  package func close() { try? descriptor.close() }

  static func write(_ path: String, overwrites: Bool, _ body: (FileDescriptor) async throws -> Void) async throws {
    if path == "-" { return try await body(.standardOutput) }
    let shown = Excerpt.of(path)
    func refuseExisting() throws {
      guard let found = try? FileOperations.status(path), found.kind == .folder || !overwrites else { return }
      throw found.kind == .folder
        ? SyncError(.usage, "\(shown) is a folder", hint: "give a file")
        : SyncError(.usage, "\(shown) already exists", hint: "choose another file, or give --force to overwrite it")
    }
    try refuseExisting()
    let unfinished = "\(path).\(getpid()).part"
    do {
      let file = try FileOperations.opened(
        unfinished, .writeOnly, [.create, .exclusiveCreate, .noFollow, .closeOnExec], permissions: [.ownerReadWrite])
      defer { try? file.close() }
      try await body(file)
      guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
      try refuseExisting()
      let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      try FileOperations.rename(unfinished, to: path, in: folder)
    } catch {
      _ = unlink(unfinished)
      guard let refusal = error as? Errno else { throw error }
      throw SyncError(
        refusal == .permissionDenied ? .permission : .usage, "\(shown) cannot be written: \(refusal)",
        hint: "choose a file in a folder that you can write to")
    }
  }
}
