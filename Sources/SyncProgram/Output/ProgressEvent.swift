import Foundation
import SyncCore

/// What a source's progress shows: the plan of its run, or a step of one of its streams.
struct ProgressEvent: Sendable, Equatable {
  enum Step: Sendable, Equatable {
    case started(page: Int)
    /// `requests` is the number of requests that the stream's run has sent.
    case pageDone(page: Int, lastPage: Int?, rows: Int, requests: Int)
    case documentsDone(fetched: Int, of: Int, rows: Int, requests: Int)
    case waiting(duration: Duration, end: Date, text: String)
    case finished(status: String, pages: Int = 0, requests: Int = 0)
  }

  let source: SourceID
  /// The stream's name in the source.
  let stream: String
  let step: Step
}

/// The streams that a source's run will read, and what is known of their requests before the run.
struct ProgressPlan: Sendable {
  let source: SourceID
  let streams: [String]
  /// The number of requests of each stream, from its last complete walk. Unknown streams are missing.
  let requests: [String: Int]
  /// The rate limits of each service of the source.
  let limits: [[RateWindow]]
  /// The largest number of pages that a run reads of a stream; `nil` for all.
  let maxPages: Int?
}
