/// The limits of one log record, whatever its content.
package enum LogLimits {
  /// With its line end.
  package static let lineBytes = 8 << 10
  /// The rest is for the metadata, which says what a message is about.
  static let messageBytes = 4 << 10
  static let valueBytes = 1 << 10
  static let keyBytes = 64
  static let entries = 48
  /// Lists and dictionaries inside of each other.
  static let depth = 4
}
