import SyncCore
import SyncEngine
import SyncPostgres
import SyncWeb

/// The pages that say what an operation will do, with the button that does it. Each operation has a command with the
/// same effect, whose code it shares.
struct OperationPages: Sendable {
  let configuration: @Sendable () -> Configuration
  let confirmations: Confirmations
  let said: @Sendable (String) -> Void

  /// What users can do with a job. The raw value is the last part of the page's path, and the command's name.
  private enum JobVerb: String, CaseIterable {
    case trigger, pause, resume

    var title: String {
      switch self {
      case .trigger: "Run now"
      case .pause: "Pause"
      case .resume: "Resume"
      }
    }

    var consequence: String {
      switch self {
      case .trigger: "A free worker runs the job within two seconds, regardless of its schedule."
      case .pause: "Scheduled runs are skipped until the job is resumed. A run under way continues."
      case .resume: "The job runs again at its next time. Runs that were missed during the pause are not made up."
      }
    }
  }

  var pages: [WebPage] { JobVerb.allCases.map(page) + [endOfPause, confirmation] }

  var actions: [WebAction] {
    JobVerb.allCases.map(action) + [
      WebAction(operating: "/limits/:source/resume") { [configuration] request, database in
        let source = try Registry.source(request.parameters["source"] ?? "").name
        _ = try await LimitsCommand.Resume.endPauses(of: source, configuration(), in: database)
        return "/#limits"
      },
      WebAction(operating: "/runs/:id/confirm") { [configuration, confirmations, said] request, database in
        let findings = try await HeldFindings.read(request.parameters["id"] ?? "", configuration(), in: database)
        try ConfirmCommand.check(findings.run, configuration())
        try confirmations.start(findings.run, configuration(), said: said)
        return "/runs/\(findings.run.id)"
      },
    ]
  }

  // MARK: Jobs

  /// Returns the links to the operations of a job, for tables and problems.
  /// - Parameter state: The state of `jobs.sql`.
  static func links(ofJob name: String, state: String?) -> [(text: String, path: String)] {
    let verbs: [JobVerb] = state == "paused" ? [.resume, .trigger] : [.trigger, .pause]
    return verbs.map { (text: $0.title, path: path(of: name, $0)) }
  }

  static func trigger(ofJob name: String) -> (text: String, path: String) {
    (text: "Run \(name) now", path: path(of: name, .trigger))
  }

  private static func path(of job: String, _ verb: JobVerb) -> String {
    "/jobs/\(job.percentEncoded())/\(verb.rawValue)"
  }

  private func page(_ verb: JobVerb) -> WebPage {
    WebPage("/jobs/:name/\(verb.rawValue)", template: "shared/confirm") { [configuration] request, database in
      try Self.expectOwner(request)
      let name = request.parameters["name"] ?? ""
      let configuration = configuration()
      let rows = try await Jobs.list(database).namedRows
      let job = rows.first { $0["job"] == name }
      let configured = configuration.jobs.first { $0.name == name }
      guard job != nil || configured != nil else { throw Self.unknown(job: name) }

      var facts: [(label: String, text: String?)] = [
        ("Schedule", job?["schedule"] ?? configured?.scheduled.description.schedule), ("State", job?["state"] ?? "new"),
      ]
      if let configured {
        let state = try await MirrorState.read(database, configuration)
        let streams = state.figures.streams.filter { stream in
          configured.choice.includes(StreamName(source: stream.source, name: stream.name), among: configuration.sources)
        }
        let entries = streams.reduce(0) { $0 &+ ($1.entries ?? 0) }
        facts += [
          ("Streams", HumanFormat.count(streams.count)), ("Entries", entries > 0 ? HumanFormat.count(entries) : nil),
          ("Worker", state.workerAbsence),
        ]
      }
      return Self.content(
        title: "\(verb.title): \(name)", consequence: verb.consequence, facts: facts, button: verb.title,
        path: Self.path(of: name, verb), back: "/#jobs", command: "syncctl jobs \(verb.rawValue) \(name.shellWord)",
        request)
    }
  }

  private func action(_ verb: JobVerb) -> WebAction {
    WebAction(operating: "/jobs/:name/\(verb.rawValue)") { [configuration] request, database in
      let name = request.parameters["name"] ?? ""
      switch verb {
      case .trigger: _ = try await JobsCommand.Trigger.trigger(name, configuration(), in: database)
      case .pause: _ = try await Jobs.pause(name, in: database)
      case .resume: _ = try await Jobs.resume(name, in: database)
      }
      return "/#jobs"
    }
  }

  private static func unknown(job: String) -> SyncError {
    SyncError(.missing, "there is no job \(Excerpt.of(job, scalars: 60))", hint: "the page State lists the jobs")
  }

  // MARK: Limits

  /// Returns the link to the end of a source's pause.
  static func endOfPause(of source: String) -> (text: String, path: String) {
    (text: "End the pause", path: "/limits/\(source.percentEncoded())/resume")
  }

  private var endOfPause: WebPage {
    WebPage("/limits/:source/resume", template: "shared/confirm") { [configuration] request, database in
      try Self.expectOwner(request)
      let source = try Self.source(request.parameters["source"] ?? "")
      let limits = try await RequestLimits.list(
        configuration().budgets.filter { $0.source == source }, in: database)
      let pauses = limits.namedRows.compactMap { row in
        row["paused_until"].map { (label: row["origin"] ?? "", text: "until \($0)") }
      }.gathered { $0.label }.map { (label: $0[0].label, text: Optional($0[0].text)) }
      let isPaused = !pauses.isEmpty
      let requests = limits.namedRows.compactMap { $0.int("used") }.max() ?? 0
      return Self.content(
        title: "End the pause: \(source)",
        consequence: isPaused
          ? "Requests to \(source) are sent again at once, although the service demanded a pause. Requests that wait "
            + "already are not affected."
          : "\(source) is not paused, so nothing would change.",
        facts: pauses + [("Requests that count against the limit", HumanFormat.count(requests))],
        button: isPaused ? "End the pause" : nil, path: Self.endOfPause(of: source).path, back: "/#limits",
        command: "syncctl limits resume \(source)", request)
    }
  }

  private static func source(_ name: String) throws(SyncError) -> String {
    guard Registry.names.contains(name) else {
      throw SyncError(
        .missing, "there is no source \(Excerpt.of(name, scalars: 40))", hint: "the page State lists the limits")
    }
    return name
  }

  // MARK: Held runs

  /// Returns the link to the confirmation of a held run.
  /// - Parameter id: The run's id, or the beginning of it.
  static func confirmation(of id: String) -> (text: String, path: String) {
    (text: "Confirm it", path: "/runs/\(id.percentEncoded())/confirm")
  }

  private var confirmation: WebPage {
    WebPage("/runs/:id/confirm", template: "shared/confirm") { [configuration] request, database in
      try Self.expectOwner(request)
      let findings = try await HeldFindings.read(request.parameters["id"] ?? "", configuration(), in: database)
      let run = findings.run
      var refusal: String?
      do {
        try ConfirmCommand.check(run, configuration())
      } catch {
        refusal = "\(error)"
      }
      let consequence = findings.consequence
      return Self.content(
        title: "Confirm run \(run.shortID)",
        consequence: refusal ?? "\(consequence.prefix(1).uppercased())\(consequence.dropFirst()).",
        facts: [
          ("Stream", "\(run.source)/\(run.stream)"), ("Stopped because", run.error),
          ("Items", findings.items.rows.isEmpty ? nil : HumanFormat.count(findings.items.rows.count)),
          ("Most known", findings.summary),
        ], button: refusal == nil ? "Confirm" : nil, path: Self.confirmation(of: run.id).path,
        back: "/runs/\(run.id)", command: "syncctl confirm \(run.shortID)", request,
        items: findings.items.rows.isEmpty
          ? nil : Self.firstItems(findings).webTable("Items that the mirror would lose from this list"))
    }
  }

  /// The first items, because a page of all would be long. The page of the run has them, too.
  private static func firstItems(_ findings: HeldFindings) -> Listing {
    let rows = RowSet(columns: findings.items.columns, rows: Array(findings.items.rows.prefix(Limits.itemsOnPage)))
    return HeldFindings(run: findings.run, items: rows, consequence: findings.consequence).listing
  }

  // MARK: The page

  /// - Throws: `SyncError` `.missing` for a browser that has not signed in, because the page would only show a button
  ///   that it cannot use.
  private static func expectOwner(_ request: WebRequest) throws(SyncError) {
    guard request.rights.showsPersonalData else {
      throw SyncError(
        .missing, "this page is for a browser that has signed in",
        hint: "open the address that syncctl web --url prints")
    }
  }

  /// - Parameters:
  ///   - button: The text of the button; `nil` if the operation would do nothing.
  ///   - path: The path of this page, which is also the path of the action.
  ///   - back: The path of the link that changes nothing.
  private static func content(
    title: String, consequence: String, facts: [(label: String, text: String?)], button: String?, path: String,
    back: String, command: String, _ request: WebRequest, items: WebValue? = nil
  ) -> WebContent {
    WebContent(
      title: title,
      [
        "consequence": .text(consequence), "operationFacts": .object(["facts": .facts(facts)]),
        "button": button.flatMap { text in
          request.operation.isAllowed ? .object(["buttonText": .text(text), "actionPath": .text(path)]) : nil
        },
        "remedy": .text(orNil: request.operation.remedy), "backPath": .text(back), "command": .text(command),
        "items": items,
      ])
  }
}
