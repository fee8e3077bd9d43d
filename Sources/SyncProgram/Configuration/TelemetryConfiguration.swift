import Foundation
import Logging
import SyncCore
import SyncTelemetry

struct TelemetryConfiguration: Sendable {
  let listen: Setting<ListenAddress?>
  let metricsFile: Setting<String?>
  let logFormat: Setting<LineLogHandler.Format?>
  let logLevel: Setting<Logger.Level>
  let heartbeat: HeartbeatURL?
  let heartbeatOrigin: SettingOrigin

  init(_ file: ConfigurationFile?, _ environment: [String: String]) throws(SyncError) {
    let choice = SettingChoice(file: file, environment: environment)
    func setting(_ key: String) -> Setting<String>? {
      choice.setting("SYNCCTL_\(key.uppercased())", file?.texts["telemetry.\(key)"])
    }

    listen = try Self.read(setting("listen")) { (text) throws(SyncError) in try ListenAddress(text) }
    metricsFile = try Self.read(setting("metrics_file")) { $0 }

    logFormat = try Self.read(setting("log_format")) { (text) throws(SyncError) -> LineLogHandler.Format in
      guard let format = LineLogHandler.Format(rawValue: text) else {
        throw SyncError(
          .configuration, "telemetry.log_format: there is no format \(Excerpt.of(text, scalars: 40))",
          hint: "give text or json")
      }
      return format
    }

    logLevel = try Self.read(setting("log_level")) { (text) throws(SyncError) -> Logger.Level in
      guard let level = Logger.Level(rawValue: text) else {
        throw SyncError(
          .configuration, "telemetry.log_level: there is no level \(Excerpt.of(text, scalars: 40))",
          hint: "give \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return level
    }.map { $0 ?? .info }

    let heartbeat = try Self.read(setting("heartbeat_url")) { (text) throws(SyncError) -> HeartbeatURL in
      guard let url = HeartbeatURL(text) else {
        throw SyncError(.configuration, "telemetry.heartbeat_url: \(HeartbeatURL.fault)", hint: HeartbeatURL.hint)
      }
      return url
    }
    self.heartbeat = heartbeat.value
    heartbeatOrigin = heartbeat.origin
  }

  private static func read<Value: Sendable>(
    _ setting: Setting<String>?, _ read: (String) throws(SyncError) -> Value
  ) throws(SyncError) -> Setting<Value?> {
    guard let setting else { return Setting(nil, .standard) }
    do {
      return Setting(try read(setting.value), setting.origin)
    } catch {
      throw SyncError(.configuration, "\(setting.origin): \(error.message)", hint: error.hint)
    }
  }
}

/// The URL that reports a success to a watchdog. It is secret, because a request to it silences the watchdog's alarm.
struct HeartbeatURL: Sendable, Equatable {
  let url: String
  let shown: String

  static let fault = "not a valid URL"
  static let hint = "give http(s)://HOST/PATH; \(WebAddress.hint)"

  init?(_ text: String) {
    guard let address = WebAddress(text), address.parts.user == nil, address.parts.password == nil,
      address.parts.fragment == nil
    else { return nil }
    url = address.url
    shown = "\(address.scheme)://\(address.host)/…"
  }
}
