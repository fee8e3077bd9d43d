import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

struct SimulatorResponder<Upstream: SimulatedUpstream>: HTTPResponder {
  typealias Context = SimulatorContext

  let upstream: Upstream
  let chaos: Chaos
  let start: NIODeadline
  let history: RequestHistory
  let log: RequestLog?

  private static var bodyBytes: Int { 1 << 20 }

  func respond(to request: Request, context: SimulatorContext) async throws -> Response {
    let arrival = ArrivalStamp.arrival(of: request.headers)
    var simulated = SimulatedRequest(request)
    if request.method == .post {
      simulated.body = Array(try await request.body.collect(upTo: Self.bodyBytes).readableBytesView)
    }
    let number = history.nextNumber()
    let page = QueryParameters(simulated.query)["page"].flatMap { Int($0) }
    let elapsed = Duration.nanoseconds((arrival - start).nanoseconds)
    let rule = chaos.rule(forRequest: number, page: page, elapsed: elapsed)
    let answer =
      if let rule {
        await rule.fault.applied(to: { await upstream.answer(simulated) })
      } else {
        WireAnswer(await upstream.answer(simulated))
      }
    let sinceArrival = Double((NIODeadline.now() - arrival).nanoseconds) * 1e-9
    let record = RequestRecord(
      number: number, time: Date(timeIntervalSinceNow: -sinceArrival),
      arrival: Double(arrival.uptimeNanoseconds) * 1e-9, method: simulated.method, path: simulated.path,
      query: simulated.query, page: page, status: answer.status, fault: rule?.name, bytes: answer.bytes)
    history.append(record)
    log?.append(record)
    return try await send(answer, request, context.channel)
  }

  private func send(_ answer: WireAnswer, _ request: Request, _ channel: any Channel) async throws -> Response {
    do {
      if let status = answer.status {
        if answer.delay > .zero { try await Task.sleep(for: answer.delay) }
        return Response(answer, status: status, on: channel)
      }
      try await request.body.consumeWithCancellationOnInboundClose { _ in
        while true { try await Task.sleep(for: .seconds(86_400)) }
      }
      throw CancellationError()
    } catch {
      // The connection is closed first, because Hummingbird would turn the error into an answer.
      try? await channel.close()
      throw error
    }
  }
}

struct SimulatorContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

extension SimulatedRequest {
  fileprivate init(_ request: Request) {
    let target = request.head.path ?? "/"
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let fields = request.headers.filter { $0.name != ArrivalStamp.field }
    // Hummingbird removes the host from the headers, so it is added again.
    let host = request.head.authority.map { [HeaderField("Host", $0)] } ?? []
    self.init(
      method: request.method.rawValue, path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : "",
      headers: host + fields.map { HeaderField($0.name.rawName, $0.value) })
  }
}
