import Foundation

struct ProgressEvent: Sendable, Equatable {
  enum Step: Sendable, Equatable {
    case started(page: Int, rows: Int)
    case pageDone(page: Int, lastPage: Int?, rows: Int)
    case documentsDone(fetched: Int, of: Int, rows: Int)
    case waiting(duration: Duration, end: Date, text: String)
    case finished(status: String, pages: Int? = nil)
  }

  let stream: String
  let step: Step
}
