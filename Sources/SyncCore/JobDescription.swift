/// A job of the configuration as all workers have to know it: what is run, and when.
package struct JobDescription: Sendable, Equatable {
  package let name: String
  /// A source, or `all`.
  package let source: String
  /// Empty for those that a run without names has.
  package let streams: [String]
  /// As it was written.
  package let schedule: String
  package let timeZone: String

  package init(name: String, source: String, streams: [String], schedule: String, timeZone: String) {
    self.name = name
    self.source = source
    self.streams = streams
    self.schedule = schedule
    self.timeZone = timeZone
  }
}
