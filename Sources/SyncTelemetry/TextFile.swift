package import SyncCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file for node_exporter's textfile collector, which may read it at any moment: it is replaced as a whole.
///
/// <https://github.com/prometheus/node_exporter#textfile-collector>
package struct TextFile: Sendable {
  package let path: String

  /// - Throws: ``SyncError`` `.usage` for a name that the collector would pass over.
  package init(path: String) throws(SyncError) {
    guard path.hasSuffix(".prom"), !path.hasSuffix("/.prom"), path != ".prom", !path.utf8.contains(0) else {
      throw SyncError(
        .usage, "metrics cannot be written to \(Excerpt.of(path))",
        hint: "name a file that ends in .prom; node_exporter reads no others")
    }
    self.path = path
  }

  /// Puts `text` in the place of the file, readable by everyone.
  ///
  /// - Throws: ``SyncError`` `.permission`, `.tryLater` when the disk is full, or `.configuration`. The old file is
  ///   then unchanged, and no temporary file is left.
  package func write(_ text: String) throws(SyncError) {
    let (temporary, descriptor) = try makeTemporary()
    do {
      try check("write", systemWrite(descriptor, text))
      // The collector runs as another user.
      try check("change the mode of", fchmod(descriptor, 0o644))
      try check("write", fsync(descriptor))
      try check("replace", rename(temporary, path))
      close(descriptor)
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
  }

  /// A temporary file in the same folder, because only there it can be renamed. It is hidden and has another suffix, so
  /// that the collector ignores it.
  private func makeTemporary() throws(SyncError) -> (path: String, descriptor: CInt) {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    let temporary = "\(path[..<slash]).\(path[slash...]).\(mark)"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    try check("create a file next to", descriptor)
    return (temporary, descriptor)
  }

  /// 0, or -1 with `errno`.
  private func systemWrite(_ descriptor: CInt, _ text: String) -> CInt {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor: descriptor, $0) }
      if count < 0 && errno != EINTR { return -1 }
      rest = rest.dropFirst(max(0, count))
    }
    return 0
  }

  private func write(descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }

  private func check(_ action: String, _ result: CInt) throws(SyncError) {
    guard result < 0 else { return }
    let code = errno
    let message = "cannot \(action) the metrics file \(Excerpt.of(path)): \(String(cString: strerror(code)))"
    switch code {
    case EACCES, EPERM, EROFS:
      throw SyncError(.permission, message, hint: "allow this user to write to its folder, or name another file")
    case ENOSPC, EDQUOT, EIO, EMFILE, ENFILE:
      throw SyncError(.tryLater, message, hint: "it is written again at the next occasion")
    default: throw SyncError(.configuration, message, hint: "name a file in an existing folder")
    }
  }
}
