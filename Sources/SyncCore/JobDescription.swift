/// A job of the configuration: which streams run when. Names are unique in a configuration.
package struct JobDescription: Sendable, Equatable {
  package let name: String
  /// A source's name, or `all`.
  package let source: String
  /// An empty array means the default streams.
  package let streams: [String]
  /// A cron expression, or an interval such as `every 6h`, as the configuration spells it.
  package let schedule: String
  /// The IANA name of the zone in which a cron expression counts.
  package let timeZone: String

  /// `source` is a source's name or `all`, and an empty `streams` means the default streams. `schedule` and `timeZone`
  /// are texts of the configuration, which are not checked here.
  package init(name: String, source: String, streams: [String], schedule: String, timeZone: String) {
    self.name = name
    self.source = source
    self.streams = streams
    self.schedule = schedule
    self.timeZone = timeZone
  }
}

/// A scheduled time of a job that has come, before a run of the job exists.
package struct JobFiring: Sendable, Equatable {
  package let job: JobDescription
  /// The scheduled time in seconds since 1970.
  package let nominalAt: Int64
  /// The number of missed firings that this firing replaces.
  package let skipped: Int
  /// The run's delay after `nominalAt`. `nil` if the job skips the firing, because the firing is too late.
  package let delay: Duration?

  /// `nominalAt` is in seconds since 1970. A `delay` of `nil` means that the firing is skipped.
  package init(job: JobDescription, nominalAt: Int64, skipped: Int, delay: Duration?) {
    self.job = job
    self.nominalAt = nominalAt
    self.skipped = skipped
    self.delay = delay
  }
}
