import SyncCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A text file that appears whole or not at all.
enum NewFile {
  /// Makes a file for a person, which everyone may read, as far as the umask allows it.
  ///
  /// - Parameter overwrites: an existing file is replaced. Of a symbolic link, the link is; what it leads to stays.
  /// - Throws: `SyncError` `.usage` for a file that exists or cannot be made, `.permission`.
  static func write(_ text: String, to path: String, overwrites: Bool) throws(SyncError) {
    do throws(OutputError) {
      try put(text, at: path, overwrites: overwrites)
    } catch {
      throw refusal(path, error.code)
    }
  }

  /// Writes the text to a file next to `path`, and gives it that name.
  ///
  /// - Parameter mode: the permissions, whatever the umask is.
  static func put(_ text: String, at path: String, overwrites: Bool, mode: mode_t? = nil) throws(OutputError) {
    let unfinished = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
    let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    try check(descriptor, path)
    defer {
      close(descriptor)
      unlink(unfinished)
    }
    try SystemTerminal.write(Array(text.utf8), to: descriptor, name: path)
    if let mode { try check(fchmod(descriptor, mode), path) }
    try check(fsync(descriptor), path)
    // In one step: a link fails where something is already, a rename replaces it.
    try check(overwrites ? rename(unfinished, path) : link(unfinished, path), path)
  }

  private static func check(_ result: Int32, _ path: String) throws(OutputError) {
    let code = errno
    guard result < 0 else { return }
    throw OutputError(stream: path, code: code, reason: String(cString: strerror(code)))
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
