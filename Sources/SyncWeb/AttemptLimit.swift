import Foundation
import SyncCore

/// Limits how often wrong secrets are tried. Each client can try `burst` secrets at once, and then one per `interval`.
/// All clients together have a higher limit of the same kind, because a client can forge the address that a proxy
/// reports. This limit also bounds the number of remembered clients.
struct AttemptLimit {
  /// The times of a bucket that regains one attempt per interval.
  private struct Allowance {
    let burst: Int
    let interval: Duration
    /// The time at which all attempts are regained.
    var fullAt: Duration = .zero

    func wait(_ now: Duration) -> Duration? {
      let excess = fullAt - now - interval * (burst - 1)
      return excess > .zero ? excess : nil
    }

    mutating func spend(_ now: Duration) { fullAt = max(fullAt, now) + interval }
  }

  private var clients: [String: Allowance] = [:]
  private var all = Allowance(burst: Limits.wrongSecretsOfAll, interval: Limits.wrongSecretsOfAllInterval)

  /// The number of clients with wrong attempts in the last seconds.
  var count: Int { clients.count }

  /// Returns the time until the client can try a secret. Returns `nil` if it can try one now.
  func wait(_ client: WebClient, now: Duration) -> Duration? {
    let waits = [clients[client.key]?.wait(now), all.wait(now)]
    return waits.compactMap(\.self).max()
  }

  /// Counts a wrong secret of the client. Call it only if `wait` returned `nil`. All calls get `now` of the same clock.
  mutating func noteWrong(_ client: WebClient, now: Duration) {
    clients = clients.filter { $0.value.fullAt > now }
    let new = Allowance(burst: Limits.wrongSecretsOfClient, interval: Limits.wrongSecretsInterval)
    clients[client.key, default: new].spend(now)
    all.spend(now)
  }
}

/// The sender of a request.
struct WebClient: Sendable {
  /// The addresses for a log.
  let text: String
  fileprivate let key: String

  /// - Parameters:
  ///   - peer: The IP address of the connected program.
  ///   - forwardedFor: The header `X-Forwarded-For`. Only the last address is used, because the nearest proxy adds it
  ///     to the addresses that the client sent.
  init(peer: String?, forwardedFor: String?) {
    let peer = peer ?? "an unknown address"
    let last = forwardedFor?.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
    let through = last.flatMap { Self.network(of: $0) }
    text = through == nil ? peer : "\(last ?? "") through \(peer)"
    key = "\(Self.network(of: peer) ?? peer) \(through ?? "")"
  }

  /// Returns an IPv4 address, or the first 64 bits of an IPv6 address, because a client has all addresses with these
  /// bits. Returns `nil` for other texts.
  private static func network(of address: String) -> String? {
    var (four, six) = (in_addr(), in6_addr())
    guard !address.utf8.contains(0) else { return nil }
    if inet_pton(AF_INET, address, &four) == 1 { return address }
    guard inet_pton(AF_INET6, address, &six) == 1 else { return nil }
    let bytes = withUnsafeBytes(of: six) { Array($0) }
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
    return (isMapped ? bytes[12...] : bytes[..<8]).map { "\($0)" }.joined(separator: ".")
  }
}
