import Synchronization

/// Secrets that become known during a run, such as access tokens. All masks that share this object find them.
package final class LearnedSecrets: Sendable {
  private struct State {
    var secrets: [String] = []
    var table: SecretTable?
  }

  private let state = Mutex(State())

  package init() {}

  var table: SecretTable? { state.withLock { $0.table } }

  /// Adds secrets, and forgets the oldest ones beyond `Limits.learnedSecrets`, which have expired by then. Ignores
  /// texts of fewer than `SecretMask.shortestSecret` bytes.
  ///
  /// The first part of a JSON Web Token only names its algorithm, and other tokens begin with the same part. A cursor
  /// of the service can be such a token, so the first part is not hidden.
  package func learn(_ secrets: [String]) {
    let hidden = secrets.map { secret in
      let parts = secret.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count >= 3 && secret.hasPrefix("eyJ") ? parts.dropFirst().joined(separator: ".") : secret
    }
    state.withLock { state in
      let all = (state.secrets.filter { !hidden.contains($0) } + hidden).suffix(Limits.learnedSecrets)
      let usable = all.filter { $0.utf8.count >= SecretMask.shortestSecret }
      guard usable != state.secrets else { return }
      state.secrets = usable
      state.table = usable.isEmpty ? nil : SecretTable(usable, suspects: [])
    }
  }
}
