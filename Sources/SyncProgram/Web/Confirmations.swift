import SyncCore
import SyncPostgres
import SyncWeb
import Synchronization

/// The confirmations of held runs that pages have started. They continue after the answer to their form, because a run
/// can take hours.
final class Confirmations: Sendable {
  enum State: Sendable {
    case running
    /// `problem` is the error that ended the run; `nil` if it ended well.
    case ended(problem: String?)
  }

  private struct Entry {
    var state = State.running
    var task: Task<Void, Never>?
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// Starts a confirmation of the held run with this id, unless one is running.
  /// - Parameter body: Returns the error that ended the run; `nil` if it ended well.
  func start(_ id: String, _ body: @escaping @Sendable () async throws -> String?) {
    entries.withLock { entries in
      if case .running? = entries[id]?.state { return }
      entries[id] = Entry()
      entries[id]?.task = Task {
        var problem: String?
        do {
          problem = try await body()
        } catch is CancellationError {
          problem = "the server was stopped; the run can be resumed"
        } catch {
          problem = "\(error)"
        }
        self.entries.withLock { $0[id] = Entry(state: .ended(problem: problem)) }
      }
    }
  }

  /// Returns the state of a confirmation that this server has started; `nil` without one.
  func state(of id: String) -> State? { entries.withLock { $0[id]?.state } }

  /// Cancels all confirmations, and returns when their runs have stored what can be resumed.
  func stop() async {
    let tasks = entries.withLock { $0.values.compactMap(\.task) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}

extension Confirmations {
  /// Starts the run that confirms a held run, with a connection of its own that has the rights of a worker.
  func start(
    _ held: HeldRun, _ configuration: Configuration, said: @escaping @Sendable (String) -> Void
  ) throws(SyncError) {
    let reporter = RunReporter(announcer: Announcer(warning: said), observe: { _ in })
    let runner = try ConfirmCommand.runner(held, configuration, reporter, SystemClock())
    start(held.id) {
      let context = Context(configuration: configuration)
      return try await context.withExistingMirror(.edit, options: context.runOptions(said)) { database in
        guard case .granted(let worker) = try await database.actingAsWorker() else {
          return "the database's user is not a worker"
        }
        let results = try await runner.runAll(in: worker)
        return RunSummary.gravest(results).map { "\($0)" }
      }
    }
  }
}
