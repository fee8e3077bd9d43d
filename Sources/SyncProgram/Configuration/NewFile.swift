import SyncCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A text file that a command makes for a person: whole or not at all.
enum NewFile {
  /// Makes a file that everyone may read, as far as the umask allows it.
  ///
  /// - Parameter overwrites: an existing file is replaced. Of a symbolic link, the link is; what it leads to stays.
  /// - Throws: `SyncError` `.usage` for a file that exists or cannot be made, `.permission`.
  static func write(_ text: String, to path: String, overwrites: Bool) throws(SyncError) {
    let unfinished = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
    let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw refusal(path, errno) }
    defer {
      close(descriptor)
      unlink(unfinished)
    }
    do throws(OutputError) {
      try SystemTerminal.write(Array(text.utf8), to: descriptor, name: path)
    } catch {
      throw refusal(path, error.code)
    }
    guard fsync(descriptor) == 0 else { throw refusal(path, errno) }
    // In one step: a link fails where something is already, a rename replaces it.
    let result = overwrites ? rename(unfinished, path) : link(unfinished, path)
    guard result == 0 else { throw refusal(path, errno) }
  }

  private static func refusal(_ path: String, _ code: Int32) -> SyncError {
    let shown = Excerpt.of(path)
    guard code != EEXIST else {
      return SyncError(
        .usage, "\(shown) exists already", hint: "name another file with --file, or give --force to overwrite it")
    }
    return SyncError(
      [EACCES, EPERM, EROFS].contains(code) ? .permission : .usage,
      "\(shown) cannot be written: \(String(cString: strerror(code)))",
      hint: "name a file in a folder that you can write, or give --stdout")
  }
}
