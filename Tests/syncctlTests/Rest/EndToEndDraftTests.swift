import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Drafts {
    /// What an unedited draft of a shape came to.
    private enum Outcome: Equatable, CustomStringConvertible {
      case all(status: String)
      case question
      /// `draft` or the run ended with an error, or the run did not call the list complete.
      case unfinished(String)
      case falselyComplete(rows: Int)

      var description: String {
        switch self {
        case .all(let status): "all items, \(status)"
        case .question: "a question"
        case .unfinished(let reason): "unfinished: \(reason)"
        case .falselyComplete(let rows): "FALSE COMPLETE with \(rows) items"
        }
      }

      var isAll: Bool { if case .all = self { true } else { false } }
    }

    /// Stripe's next request names the last item. A FHIR Bundle has its next address in the element of an array whose
    /// `relation` is `next`. No paginator does either. The key of ClinicalTrials.gov is four objects down.
    private static let questions: Set<String> = ["stripe", "fhir", "clinicaltrials"]

    @Test("an unedited draft of a documented service reads all items or asks a question, and is never falsely complete")
    func shapes() async throws {
      try await Mirror.with(ServiceShapes()) { mirror, server in
        var outcomes: [String: Outcome] = [:]
        var resources: [(shape: ServiceShape, name: String)] = []
        for shape in ServiceShape.all {
          let address = "\(server.baseURL)/\(shape.name)\(shape.address)"
          let draft = try await mirror.syncctl("source", "draft", address, "--name", shape.name)
          guard draft.end == .exit(0) else {
            outcomes[shape.name] = .unfinished(draft.standardError)
            continue
          }
          let file = try mirror.home.write(draft.standardOutput, to: "\(shape.name).yaml")
          let check = try await mirror.syncctl("source", "check", file, "--offline")
          if check.standardError.contains("question") {
            #expect(check.end == .exit(78), "\(shape.name)")
            outcomes[shape.name] = .question
          } else if check.end != .exit(0) {
            outcomes[shape.name] = .unfinished(check.standardError)
          } else {
            let line = draft.standardOutput.split(separator: "\n").first { $0.hasPrefix("  - name: ") }
            resources.append((shape, String(try #require(line).dropFirst("  - name: ".count))))
          }
        }
        try await Self.run(resources, on: mirror, &outcomes)
        for shape in ServiceShape.all {
          let outcome = try #require(outcomes[shape.name])
          let isAsked = Self.questions.contains(shape.name)
          #expect(isAsked ? outcome == .question : outcome.isAll, "\(shape.name), \(shape.documentation): \(outcome)")
        }
        #expect(outcomes.values.count(where: \.isAll) * 5 >= outcomes.count * 4)
      }
    }

    @Test("check and run warn when the first page is not the first one of the list, and check names a short page")
    func firstPages() async throws {
      try await Mirror.with(ServiceShapes()) { mirror, server in
        _ = try mirror.home.write(
          """
          sources:
            spring:
              type: rest_api
              client: { base_url: \(server.baseURL)/spring }
              resources:
                - name: products
                  primary_key: id
                  endpoint:
                    params: { size: 20 }
                    data_selector: content
                    paginator: { type: page_number, base_page: 1 }
                  total_path: totalElements
            arcgis:
              type: rest_api
              client: { base_url: \(server.baseURL)/arcgis/FeatureServer/0 }
              resources:
                - name: parcels
                  primary_key: id
                  endpoint:
                    path: query
                    data_selector: features
                    paginator:
                      type: offset
                      offset_param: resultOffset
                      limit_param: resultRecordCount
                      limit: 500
                      has_more_path: exceededTransferLimit
          """, to: "syncctl.yaml")
        let check = try await mirror.syncctl("source", "check", "spring")
        let evidence = "does not look like the first one of the list"
        #expect(check.standardOutput.contains(evidence), "\(check.standardOutput)")
        #expect(
          check.standardOutput.contains("number: 1, first: false") || check.standardOutput.contains("first: false"))
        let capped = try await mirror.syncctl("source", "check", "arcgis")
        #expect(capped.standardOutput.contains("100 items, though 500 were requested"), "\(capped.standardOutput)")

        try await mirror.asOwner.succeed("migrate")
        let run = try await mirror.syncctl("run", "--source", "spring")
        #expect(run.standardError.contains(evidence) && run.standardError.contains("base_page"), "\(run.standardError)")
      }
    }

    /// Runs all drafts from one configuration file, with one database.
    private static func run(
      _ resources: [(shape: ServiceShape, name: String)], on mirror: Mirror, _ outcomes: inout [String: Outcome]
    ) async throws {
      let lines = resources.map { "  \($0.shape.name): { type: rest_api, file: \($0.shape.name).yaml }" }
      _ = try mirror.home.write((["sources:"] + lines).joined(separator: "\n") + "\n", to: "syncctl.yaml")
      var variables: [String: String] = [:]
      for (shape, _) in resources {
        variables["SYNCCTL_\(shape.name.uppercased())_RATE_LIMITS"] = "none"
        variables.merge(shape.environment) { $1 }
      }
      let ready = mirror.with(variables)
      try await ready.asOwner.succeed("migrate")
      let sources = resources.flatMap { ["--source", $0.shape.name] }
      let result = try await ready.syncctl(["run", "--format", "json"] + sources)
      let runs = try #require(try JSONValue(result.standardOutput)["runs"]?.array, "\(result.standardError)")
      for (shape, name) in resources {
        let run = runs.first { $0["source"]?.text == shape.name }
        let status = run?["status"]?.text ?? "no run"
        let rows = Int(try await ready.sql("SELECT count(*) FROM \"\(shape.name)\".\"\(name)\"")) ?? 0
        let isWhole = rows == ServiceShape.itemCount
        outcomes[shape.name] =
          switch status {
          case "complete", "unproven": isWhole ? .all(status: status) : .falselyComplete(rows: rows)
          default: .unfinished("\(status) with \(rows) items, \(run?["error"]?.text ?? "no error")")
          }
      }
    }
  }
}
