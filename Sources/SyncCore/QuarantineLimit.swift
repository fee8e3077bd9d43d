/// How many items of a run may be unusable before a person has to look: 500, or 5 % where that is at least 50.
/// Beyond that the upstream has changed its shape, and what is left is no copy of it.
package enum QuarantineLimit {
  package static func isExceeded(_ quarantined: Int, of rowsSeen: Int) -> Bool {
    quarantined > 500 || (quarantined >= 50 && quarantined * 20 > rowsSeen)
  }

  /// The limit of a window, which is short, and which no shrink guard protects: more than half.
  package static func isWindowUnreadable(_ quarantined: Int, of rowsSeen: Int) -> Bool {
    quarantined * 2 > rowsSeen
  }
}
