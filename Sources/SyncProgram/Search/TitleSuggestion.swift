import Foundation
import SyncCore
import SyncPostgres

/// Titles of the mirror that a word can mean, which is not a command.
enum TitleSuggestion {
  /// Returns a line for each of up to three titles, with the command that shows it. Errors are ignored.
  ///
  /// Returns no lines if the word cannot be a title, if the embedded server does not run, or if the mirror does not
  /// answer within `Limits.titleSuggestion`.
  static func lines(for fault: FirstGuess.Fault) async -> [String] {
    guard let request = fault.title.flatMap({ SearchRequest($0, limit: 1) }) else { return [] }
    return await Context.answer(within: Limits.titleSuggestion) { (try? await lines(request)) ?? [] } ?? []
  }

  private static func lines(_ request: SearchRequest) async throws -> [String] {
    let environment = ProcessInfo.processInfo.environment
    let configuration = try Configuration.load(configFlag: nil, environment: environment)
    let context = Context(configuration: configuration)
    // A question would start the embedded server.
    guard try await !context.isAsleep() else { return [] }
    let options = Database.Options(
      reconnectDeadline: .zero, statementTimeout: Limits.titleSuggestion)
    let found = try await context.withDatabase(.question, options: options) { database in
      try await MirrorSearch.once(request, configuration.sources, readsNotes: false, in: database)
    }
    return found.parts.flatMap(\.group.hits).prefix(3).map { hit in
      "\(hit.title)\(hit.detail.map { $0.isEmpty ? "" : " (\($0))" } ?? ""): syncctl \(hit.command)"
    }
  }
}
