import Foundation

/// Programs that tests make and run.
///
/// If this process wrote such a program, children of other tests could inherit the open descriptor. Linux executes no
/// program that is open for writing, so `cp` writes it.
package enum ProgramFile {
  package static func write(_ text: String, to path: String) throws {
    let draft = path + ".draft"
    try Data(text.utf8).write(to: URL(filePath: draft))
    defer { try? FileManager.default.removeItem(atPath: draft) }
    try copy(draft, to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// The copy has the permissions of the original.
  package static func copy(_ original: String, to path: String) throws {
    let copy = try Process.run(URL(filePath: "/bin/cp"), arguments: [original, path])
    copy.waitUntilExit()
    if copy.terminationStatus != 0 { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
  }
}
