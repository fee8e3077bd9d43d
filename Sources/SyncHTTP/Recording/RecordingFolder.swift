import Foundation
import SyncCore

/// The folder of a recording: a manifest, an index with a line of JSON for each answer, and the packed bodies.
///
/// `AnswerRecording` writes the folder, and `RecordedAnswers` reads it. Links are not followed, so that other users
/// cannot redirect the recording.
package struct RecordingFolder: Sendable {
  package let path: String

  enum File: String, CaseIterable {
    case manifest = "recording.json"
    case index = "index.ndjson"
    case answers = "answers.gz"
  }

  /// Names the folder at this path. Reads and creates nothing.
  package init(_ path: String) { self.path = path }

  private var shown: String { Excerpt.of(path) }

  /// Creates the folder, if it does not exist, and its files. The folder and the files are readable only by their
  /// owner. The caller closes the descriptors.
  ///
  /// Throws `.usage` if the folder has a recording already, and other errors of `unwritable`.
  func create() throws(SyncError) -> (isNew: Bool, files: [File: CInt]) {
    let isNew = mkdir(path, 0o700) == 0
    guard isNew || errno == EEXIST else { throw unwritable(errno) }
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { throw unwritable(errno) }
    defer { close(folder) }
    var files: [File: CInt] = [:]
    for file in File.allCases {
      let descriptor = openat(folder, file.rawValue, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        let code = errno
        files.values.forEach { close($0) }
        remove(Array(files.keys), isNew: isNew)
        throw unwritable(code)
      }
      files[file] = descriptor
    }
    return (isNew, files)
  }

  /// Removes the files, and the folder too if `create` has made it. Errors are ignored.
  func remove(_ files: [File] = File.allCases, isNew: Bool) {
    for file in files { unlink("\(path)/\(file.rawValue)") }
    if isNew { rmdir(path) }
  }

  /// Returns the error for a failed write: `.usage` for an existing recording or an unusable path, `.permission`, or
  /// `.tryLater` for a full disk and other errors that can pass.
  /// - Parameter code: The value of `errno`.
  func unwritable(_ code: CInt) -> SyncError {
    if code == EEXIST {
      return SyncError(
        .usage, "\(shown) already has a recording", hint: "choose another folder; a recording is never overwritten")
    }
    let message = "the recording \(shown) cannot be written: \(String(cString: strerror(code)))"
    switch code {
    case EACCES, EPERM, EROFS:
      return SyncError(.permission, message, hint: "choose a folder that you can write to", disposition: .stopRun)
    case ENOSPC, EDQUOT, EFBIG, EIO, EMFILE, ENFILE:
      return SyncError(
        .tryLater, message, hint: "free space, then record another run; the recorded part can be served",
        disposition: .stopRun)
    default:
      return SyncError(
        .usage, message, hint: "choose a new folder in an existing one", disposition: .stopRun)
    }
  }

  /// Opens a file for reading and returns its descriptor, which the caller closes. Throws `.usage` if the folder has no
  /// manifest, `.permission`, or `.configuration`. Never blocks, even if the file is a pipe or a device.
  func read(_ file: File) throws(SyncError) -> CInt {
    let descriptor = open("\(path)/\(file.rawValue)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      if [ENOENT, ENOTDIR].contains(code), file == .manifest {
        throw SyncError(.usage, "\(shown) has no recording", hint: "give a folder that syncctl run --record wrote")
      }
      throw SyncError(
        [EACCES, EPERM].contains(code) ? .permission : .configuration,
        "\(shown)/\(file.rawValue) cannot be read: \(String(cString: strerror(code)))",
        hint: "a recording needs its files \(File.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw damaged(file, "it is not a regular file")
    }
    return descriptor
  }

  func damaged(_ file: File, _ problem: String) -> SyncError {
    SyncError(
      .configuration, "the recording is damaged: \(shown)/\(file.rawValue): \(problem)",
      hint: "copy the folder again, or record another run", disposition: .stopRun)
  }

  /// Returns the bytes of the manifest. Throws `.usage` if the folder has no recording, `.permission` if it must not be
  /// read, and `.configuration` if it is damaged or longer than `Limits.recordedManifestBytes`.
  func manifest() throws(SyncError) -> [UInt8] {
    let file = RecordedBytes(descriptor: try read(.manifest))
    guard let bytes = file.read(at: 0, count: Limits.recordedManifestBytes + 1),
      bytes.count <= Limits.recordedManifestBytes
    else { throw damaged(.manifest, "it cannot be read, or is too long") }
    return bytes
  }
}

/// A file of a recording. Owns the descriptor and closes it.
final class RecordedBytes: Sendable {
  let descriptor: CInt

  init(descriptor: CInt) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Returns `count` bytes from `offset`, fewer at the end of the file, or `nil` after an error.
  func read(at offset: Int64, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + off_t(filled))
      }
      if got < 0 && errno == EINTR { continue }
      if got < 0 { return nil }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// Appends all bytes at the file's position. Returns `errno` if it failed, possibly after a part of the bytes.
  func write(_ bytes: [UInt8]) -> CInt? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 { return errno }
      rest = rest.dropFirst(count)
    }
    return nil
  }
}

private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
