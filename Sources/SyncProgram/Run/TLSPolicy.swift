import Foundation
import LibPQ

/// Requires verified TLS to other machines, because libpq's default (`prefer`) does not stop an active attacker.
enum TLSPolicy {
  private static let systemRoots = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]

  static func apply(to settings: ConnectionSettings, environment: [String: String]) -> ConnectionSettings {
    // If `hostaddr` is set, libpq connects to this address. libpq then uses `host` only to check the certificate.
    let address = settings["hostaddr"] ?? environment["PGHOSTADDR"] ?? ""
    let hosts = (address.isEmpty ? settings["host"] ?? environment["PGHOST"] ?? "" : address).split(separator: ",")
    guard !hosts.allSatisfy(isLocal), settings["sslmode"] == nil, environment["PGSSLMODE"] == nil,
      // A service file can have its own TLS settings, which must not be overridden.
      settings["service"] == nil, environment["PGSERVICE"] == nil
    else { return settings }
    var settings = settings
    settings["sslmode"] = "verify-full"
    let ownRoots = (environment["HOME"] ?? "") + "/.postgresql/root.crt"
    if settings["sslrootcert"] == nil, environment["PGSSLROOTCERT"] == nil,
      !FileManager.default.fileExists(atPath: ownRoots)
    {
      settings["sslrootcert"] = systemRoots.first { FileManager.default.fileExists(atPath: $0) }
    }
    return settings
  }

  private static func isLocal(_ host: Substring) -> Bool {
    host.isEmpty || host.hasPrefix("/") || host == "localhost" || host == "::1"
      || (host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." })
  }
}
