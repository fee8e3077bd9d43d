import SyncCore
import Yams

extension ConfigurationFile {
  /// A job as the file has it: texts, with the places where they stand.
  struct Job: Sendable {
    /// In the file, for errors.
    let place: String
    fileprivate(set) var values: [String: String] = [:]
    fileprivate(set) var streams: [String] = []
    fileprivate(set) var isFull = false
    fileprivate(set) var refreshes = false
  }

  func readJobs(_ node: Node) throws(SyncError) -> [Job] {
    guard let sequence = node.sequence else {
      throw fault("jobs", "must be a list", hint: #"write jobs: [{ name: daily, schedule: "@daily" }]"#)
    }
    var jobs: [Job] = []
    for (index, item) in sequence.enumerated() { jobs.append(try job(item, at: "jobs[\(index)]")) }
    return jobs
  }

  private func job(_ node: Node, at place: String) throws(SyncError) -> Job {
    var job = Job(place: place)
    for (key, node) in try members(node, at: place, known: Keys.job) {
      let path = "\(place).\(key)"
      switch key {
      case "streams":
        guard let sequence = node.sequence, !sequence.isEmpty else {
          throw fault(path, "must be a list that is not empty", hint: "write streams: [NAME, NAME], or omit it")
        }
        for item in sequence { job.streams.append(try text(item, at: path)) }
      case "full", "refresh":
        guard let value = node.bool else { throw fault(path, "must be true or false", hint: "write \(key): true") }
        if key == "full" { job.isFull = value } else { job.refreshes = value }
      default: job.values[key] = try text(node, at: path)
      }
    }
    return job
  }
}
