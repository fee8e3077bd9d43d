/// What one request can see and change. Rights belong to the request and not to the listener, because a reverse proxy
/// and all users of the machine can reach a loopback address. The content of a page depends on the rights, so the key
/// of a cached value contains them.
package struct WebRights: Sendable, Hashable {
  /// Whether the page can show notes, one-off searches and the texts of errors.
  package let showsPersonalData: Bool
  /// Whether the page has forms that change favorites. Without `showsPersonalData`, these forms need the password.
  package let allowsWriting: Bool
  /// Whether the page says how to sign in.
  let offersSignIn: Bool

  init(showsPersonalData: Bool = false, allowsWriting: Bool = false, offersSignIn: Bool = false) {
    self.showsPersonalData = showsPersonalData
    self.allowsWriting = allowsWriting
    self.offersSignIn = offersSignIn
  }

  /// The rights of the mirror's owner.
  static let owner = WebRights(showsPersonalData: true, allowsWriting: true)
}

/// Who has the owner's rights at a loopback address.
package enum LocalAccess: Sendable {
  /// All programs and users of this machine (`web.token: false`).
  case everyone
  case signedIn(WebSignIn)
  /// Nobody, because the token could not be read.
  case nobody
}
