/// What happened to one stream of a run, as far as its progress is concerned.
struct ProgressEvent: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// The walk begins, or resumes after `page` pages and `rows` rows of an earlier run.
    case started(page: Int, rows: Int)
    /// A page is committed. All figures are totals of the walk; `lastPage` is nil where it is unknown.
    case pageDone(page: Int, lastPage: Int?, rows: Int)
    /// A batch of documents is committed; figures are totals of the walk.
    case documentsDone(had: Int, of: Int, rows: Int)
    /// The run waits: for a retry, or for the rate budget.
    case waiting(duration: Duration, reason: String)
    /// The stream is done, with the status of its run ("complete", "partial", …).
    case finished(status: String)
  }

  let stream: String
  let kind: Kind

  init(stream: String, kind: Kind) {
    self.stream = stream
    self.kind = kind
  }
}
