import Foundation
import SyncCore
import SyncTelemetry
import SyncWeb

struct WebConfiguration: Sendable {
  /// Whether the worker's listener serves the pages.
  let isEnabled: Setting<Bool>
  /// The names of this server for other machines.
  let hosts: Setting<[String]>
  /// The path that all pages are below, without a slash at its end. Empty for `/`.
  let path: Setting<String>
  /// Whether browsers of this machine must sign in to have the owner's rights.
  let usesToken: Setting<Bool>
  let showsPictures: Setting<Bool>
  /// Whether other machines can change favorites.
  let isWritable: Setting<Bool>
  /// A file with `NAME:PASSWORD` in its first line.
  let passwordFile: Setting<String?>

  init(_ file: ConfigurationFile?, _ environment: [String: String]) throws(SyncError) {
    let choice = SettingChoice(file: file, environment: environment)
    func setting(_ key: String) -> Setting<String>? {
      choice.setting("SYNCCTL_WEB_\(key.uppercased())", file?.texts["web.\(key)"])
    }
    func flag(_ key: String, standard: Bool) throws(SyncError) -> Setting<Bool> {
      try setting(key).read("web.\(key)", standard: standard, "true or false", hint: "write \(key): true") { Bool($0) }
    }
    isEnabled = try flag("enabled", standard: false)
    showsPictures = try flag("pictures", standard: true)
    isWritable = try flag("writable", standard: false)
    hosts = try Self.hosts(setting("hosts"))
    let hint = "write path: /mirror, with letters, digits and ._~- between slashes"
    path = try setting("path").read("web.path", standard: "", "a path", hint: hint) { text in
      text == "/" ? "" : text.wholeMatch(of: /((?:\/[A-Za-z0-9._~\-]{1,64}){1,8})\/?/).map { String($0.1) }
    }
    usesToken = try Self.usesToken(setting("token"))
    passwordFile = setting("password_file")?.map { $0 } ?? Setting(nil, .standard)
  }

  /// The error does not show the value, because it can be a token.
  private static func usesToken(_ setting: Setting<String>?) throws(SyncError) -> Setting<Bool> {
    guard let setting else { return Setting(true, .standard) }
    guard let value = Bool(setting.value) else {
      throw SyncError(
        .configuration, "\(setting.origin): web.token is not true or false",
        hint: "a file of the data folder has the token; write token: false on a machine with one user")
    }
    return Setting(value, setting.origin)
  }

  private static func hosts(_ setting: Setting<String>?) throws(SyncError) -> Setting<[String]> {
    guard let setting else { return Setting([], .standard) }
    let names = setting.value.split(separator: ",").map { $0.trimmingBlanks }
    for name in names where name.wholeMatch(of: /[A-Za-z0-9.\-\[\]:]{1,255}/) == nil {
      throw SyncError(
        .configuration, "\(setting.origin): web.hosts: \(Excerpt.of(name, scalars: 40)) is not a host name",
        hint: "write hosts: [mirror.example.org], without https://")
    }
    return Setting(names, setting.origin)
  }

  /// - Parameters:
  ///   - local: Who has the owner's rights at a loopback address.
  ///   - said: Reports settings that cannot be used, if the pages can be served without them.
  /// - Throws: `SyncError` `.configuration` if the address is not loopback and `web.hosts` is empty, or if the file
  ///   with the password is missing or can be read by other users.
  func rules(
    at address: ListenAddress, local: LocalAccess, said: (String) -> Void
  ) throws(SyncError) -> WebRules {
    guard address.isLoopback || !hosts.value.isEmpty else {
      throw SyncError(
        .configuration, "pages at \(address) need the names by which browsers reach them (web.hosts)",
        hint: "write web: { hosts: [mirror.example.org] }, or listen on 127.0.0.1")
    }
    var credentials: WebCredentials?
    do throws(SyncError) {
      credentials = isWritable.value ? try self.credentials() : nil
    } catch  where address.isLoopback {
      // The owner needs no password. The file can belong to the user of the worker.
      said("\(error.message), so other machines cannot change favorites")
    }
    return WebRules(address, local: local, hosts: hosts.value, path: path.value, credentials: credentials)
  }

  private func credentials() throws(SyncError) -> WebCredentials {
    let hint = "create it with NAME:PASSWORD in its first line, and chmod 600"
    guard let path = passwordFile.value else {
      throw SyncError(.configuration, "web.writable needs web.password_file", hint: hint)
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let text = try? String(contentsOfFile: path, encoding: .utf8)
    else { throw SyncError(.configuration, "web.password_file: \(Excerpt.of(path)) cannot be read", hint: hint) }
    guard status.st_mode & 0o077 == 0 else {
      throw SyncError(
        .configuration, "web.password_file: other users can read \(Excerpt.of(path))", hint: "chmod 600 the file")
    }
    guard let credentials = WebCredentials(String(text.prefix { !$0.isNewline })) else {
      throw SyncError(.configuration, "web.password_file: \(Excerpt.of(path)) has no NAME:PASSWORD", hint: hint)
    }
    return credentials
  }
}
