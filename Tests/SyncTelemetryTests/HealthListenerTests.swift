import Foundation
import Logging
import ServiceLifecycle
import SyncCore
import SyncTelemetry
import SyncTestKit
import Synchronization
import Testing

@Suite("The listener, over real sockets", .timeLimit(.minutes(2)))
struct HealthListenerTests {
  @Test("each path has its answer, HEAD says the same without the body, and other methods are refused")
  func answers() async throws {
    let listener = ListenerUnderTest(
      health: { .well }, readiness: { .unwell("the database is down\r\nX: y\u{1B}[31m") })
    try await listener.serve { port in
      for (path, status, body) in [
        ("/metrics", 200, "a 1\nb é\n"), ("/metrics?name[]=a", 200, "a 1\nb é\n"), ("/healthz", 200, "ok\n"),
        ("/readyz", 503, "the database is down  X: y [31m\n"), ("/", 404, nil), ("/metrics/", 404, nil),
        ("/metricsx", 404, nil), ("//metrics", 404, nil), ("/%6Detrics", 404, nil), ("/healthz/../x", 404, nil),
      ] as [(String, Int, String?)] {
        let get = try #require(await RawClient.ask("GET", path, port: port), "\(path)")
        #expect(get.status == status && get.body == body ?? get.body, "\(path)")
        #expect(get.fields["content-length"] == "\(get.body.utf8.count)" && get.fields["connection"] == "close")
        #expect(get.fields["server"] == nil && get.fields["x"] == nil)
        let head = try #require(await RawClient.ask("HEAD", path, port: port), "\(path)")
        #expect(head.status == status && head.body.isEmpty)
        for field in ["content-length", "content-type"] { #expect(head.fields[field] == get.fields[field], "\(path)") }
      }
      let metrics = await RawClient.ask("GET", "/metrics", port: port)
      #expect(metrics?.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
      for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"] {
        let answer = try #require(await RawClient.ask(method, "/metrics", port: port))
        #expect(answer.status == 405 && answer.fields["allow"] == "GET, HEAD")
      }
    }
  }

  @Test("a body is not waited for, and does not spoil the answer")
  func body() async throws {
    try await ListenerUnderTest().serve { port in
      let part = String(repeating: "x", count: 50)
      let request = "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n\(part)"
      let answer = await Self.talk(port) { client -> RawClient.Answer? in
        client.send(request)
        shutdown(client.descriptor, CInt(SHUT_WR))
        return client.receiveAll().flatMap { RawClient.Answer($0) }
      }
      #expect(answer?.status == 405)
    }
  }

  @Test(
    "what is not HTTP gets 400",
    arguments: ["nonsense\r\n\r\n", "GET /metrics SPDY/9\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n"])
  func nonsense(_ text: String) async throws {
    try await ListenerUnderTest().serve { port in
      #expect(await RawClient.ask(text, port: port)?.status == 400)
      #expect(await RawClient.ask("GET", "/healthz", port: port)?.status == 200, "it still answers")
    }
  }

  @Test("a check that hangs is an answer, and so are metrics", arguments: ["/healthz", "/readyz", "/metrics"])
  func hanging(_ path: String) async throws {
    var limits = ListenerLimits.patient
    limits.answerDeadline = .milliseconds(20)
    let listener = ListenerUnderTest(
      limits: limits, health: { await Self.never() }, readiness: { await Self.never() },
      metrics: { "\(await Self.never())" })
    try await listener.serve { port in
      let answer = try #require(await RawClient.ask("GET", path, port: port))
      #expect(answer.status == 503)
      #expect(answer.body == "it took longer than 0.02 seconds\n")
    }
  }

  /// Each argument: the milliseconds for the head and for the connection, the client's text and its padding, and the
  /// status of a possible answer.
  @Test(
    "a client that is slow is cut off; a late head and a request that is too large are not given the connection's time",
    arguments: [
      (nil, 50, "", 0, 405), (nil, 50, "GET /metr", 0, 405), (nil, 50, "GET /metrics HTTP/1.1\r\nHost: x\r\n", 0, 405),
      (nil, 50, "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc", 0, 405),
      (50, 3_600_000, "GET /metrics HTTP/1.1\r\nX: ", 0, 0), (nil, 3_600_000, "GET /", 65_536, 400),
      (nil, 3_600_000, "GET /metrics HTTP/1.1\r\nX: ", 65_536, 400),
    ] as [(Int?, Int, String, Int, Int)])
  func cutOff(head: Int?, connection: Int, text: String, padding: Int, status: Int) async throws {
    var limits = ListenerLimits.patient
    if let head { limits.headDeadline = .milliseconds(head) }
    limits.connectionLife = .milliseconds(connection)
    try await ListenerUnderTest(limits: limits).serve { port in
      let received = await Self.talk(port) { client -> String? in
        client.send(text + String(repeating: "x", count: padding))
        return client.receiveAll()
      }
      let answer = try #require(received, "the connection is closed")
      #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
      if padding > 0 { #expect(await RawClient.ask("GET", "/healthz", port: port)?.status == 200, "it still answers") }
    }
  }

  @Test("a client that keeps sending is cut off too, though it is never idle")
  func dripping() async throws {
    var limits = ListenerLimits.patient
    limits.connectionLife = .milliseconds(50)
    try await ListenerUnderTest(limits: limits).serve { port in
      let wasCut = await Self.talk(port) { client -> Bool? in
        client.send("GET /metrics HTTP/1.1\r\nX: ")
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end {
          var entry = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
          // The request is incomplete, so the socket becomes readable only if the server closes it.
          if poll(&entry, 1, 1) > 0 || !client.send("x") { return true }
        }
        return false
      }
      #expect(wasCut == true)
    }
  }

  @Test("a client that does not read its answer is cut off")
  func slowReader() async throws {
    var limits = ListenerLimits.patient
    limits.connections = 1
    limits.connectionLife = .milliseconds(300)
    try await ListenerUnderTest(limits: limits, metrics: { Self.longText }).serve { port in
      let slow = try #require(await Self.repeated { await Self.halfRead(port) })
      defer { slow.close() }
      // The listener accepts only one connection at a time, so an answer proves that the slow client was cut off.
      let answer = await Self.repeated { await RawClient.ask("GET", "/healthz", port: port) }
      #expect(answer?.status == 200)
    }
  }

  @Test("connections leave descriptors to the rest of the program")
  func descriptors() {
    let rows = [(16, 4), (512, 128), (1_024, 512), (4_096, 2_500), (1 << 20, 2_500)]
    for (descriptors, connections) in rows { #expect(ListenerLimits.bounded(descriptors) == connections) }
  }

  @Test("2,000 clients that send half a request, and are not cut off, do not keep probes from their answers")
  func slowClients() async throws {
    SlowClients.makeRoom(for: 2_000)
    try await ListenerUnderTest().serve { port in
      try await SlowClients.with(2_000, port: port) { clients in
        let end = ContinuousClock.now + .seconds(60)
        while clients.connected < 2_000, .now < end { await Task.yield() }
        #expect(clients.connected == 2_000)
        for path in ["/healthz", "/metrics", "/readyz"] {
          #expect(await RawClient.ask("GET", path, port: port)?.status == 200, "\(path)")
        }
      }
    }
  }

  /// Calls `body` until it succeeds, because a busy machine can close a connection early.
  private static func repeated<R>(_ body: () async -> R?) async -> R? {
    for _ in 0..<100 { if let result = await body() { return result } }
    return nil
  }

  @Test("a port that is in use, or an address of another machine, is an error that names the address")
  func portInUse() async throws {
    try await ListenerUnderTest().serve { port in
      for (address, says, hint) in [
        (ListenAddress(host: "127.0.0.1", port: port), "127.0.0.1:\(port): Address already in use", "another port"),
        (ListenAddress(host: "192.0.2.1", port: 0), "192.0.2.1:0: ", "an address of this machine"),
      ] {
        let error = await #expect(throws: SyncError.self) {
          try await ListenerUnderTest(address: address).serve { _ in }
        }
        #expect(error?.code == .configuration && error?.message.hasPrefix("cannot listen on \(says)") == true)
        #expect(error?.hint?.contains(hint) == true)
      }
    }
  }

  @Test("ends long before a connection would, whatever connections and checks are active", arguments: Ending.allCases)
  fileprivate func shutdownWhileBusy(_ ending: Ending) async throws {
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let listener = ListenerUnderTest(
      health: {
        ask.yield()
        return await Self.never()
      }, metrics: { Self.longText }, ending: ending)
    let begin = Mutex<ContinuousClock.Instant?>(nil)
    let idle = Mutex<[RawClient]>([])
    var hanging: Task<RawClient.Answer?, Never>?
    try await listener.serve { port in
      let clients = (0..<4).compactMap { _ in RawClient(port: port) }
      clients.first?.send("GET /metr")
      let slow = try #require(await Self.halfRead(port))
      idle.withLock { $0 = clients + [slow] }
      hanging = Task { await RawClient.ask("GET", "/healthz", port: port) }
      for await _ in asked { break }
      begin.withLock { $0 = .now }
    }
    let took = try #require(begin.withLock { $0 }).duration(to: .now)
    // A connection stays open for minutes. The shutdown must not wait for open connections.
    #expect(took < .seconds(8))
    let answer = await hanging?.value
    #expect(answer == nil || answer?.body == "the program is shutting down\n", "\(String(describing: answer))")
    idle.withLock { clients in clients.forEach { $0.close() } }
  }

  @Test("a port that was served can be served again at once")
  func again() async throws {
    // A concurrent test can take the port before the second listener does, but not in every attempt.
    let isServed = await Self.repeated { () -> Bool? in
      var port = 0
      do {
        try await ListenerUnderTest().serve { found in
          port = found
          #expect(await RawClient.ask("GET", "/healthz", port: found)?.status == 200)
        }
        guard RawClient(port: port) == nil else { return nil }
        try await ListenerUnderTest(address: ListenAddress(host: "127.0.0.1", port: port)).serve { found in
          #expect(found == port)
        }
        return true
      } catch { return nil }
    }
    #expect(isServed == true)
  }

  /// More bytes than the kernel buffers for a client that does not read.
  private static let longText = String(decoding: [UInt8](repeating: 0x78, count: 16 << 20), as: UTF8.self)

  private static func halfRead(_ port: Int) async -> RawClient? {
    await offPool {
      let client = RawClient(port: port)
      client?.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
      var byte: UInt8 = 0
      return client.flatMap { recv($0.descriptor, &byte, 1, 0) == 1 ? $0 : nil }
    }
  }

  private static func talk<R: Sendable>(_ port: Int, _ body: @escaping @Sendable (RawClient) -> R?) async -> R? {
    await offPool { () -> R? in
      guard let client = RawClient(port: port) else { return nil }
      defer { client.close() }
      return body(client)
    }
  }

  private static func never() async -> HealthStatus {
    await withUnsafeContinuation { (_: UnsafeContinuation<HealthStatus, Never>) in }
  }
}

private enum Ending: CaseIterable {
  case graceful, cancelled
}

extension ListenerLimits {
  /// Deadlines beyond the suite's time limit, because a busy machine can delay an answer for many seconds.
  fileprivate static var patient: ListenerLimits {
    var limits = ListenerLimits()
    limits.headDeadline = .seconds(300)
    limits.connectionLife = .seconds(300)
    limits.answerDeadline = .seconds(299)
    return limits
  }
}

private struct ListenerUnderTest: Sendable {
  var address = ListenAddress(host: "127.0.0.1", port: 0)
  var limits = ListenerLimits.patient
  var health: HealthListener.Check = { .well }
  var readiness: HealthListener.Check = { .well }
  var metrics: @Sendable () async -> String = { "a 1\nb é\n" }
  var ending = Ending.graceful

  /// Runs the listener and `body` on their own threads, because long computations of other tests occupy the pool.
  func serve(_ body: (Int) async throws -> Void) async throws {
    let executor = OwnThreads()
    try await withTaskExecutorPreference(executor) { try await serve(on: executor, body) }
  }

  private func serve(on executor: OwnThreads, _ body: (Int) async throws -> Void) async throws {
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let listener = HealthListener(
      address: address, limits: limits, metrics: metrics, health: health, readiness: readiness,
      onListening: { port.yield($0.port) })
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [listener], logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })))
    let running = Task(executorPreference: executor) {
      defer { port.finish() }
      try await group.run()
    }
    for await found in ports {
      do {
        try await body(found)
      } catch {
        await group.triggerGracefulShutdown()
        throw error
      }
      break
    }
    switch ending {
    case .graceful:
      await group.triggerGracefulShutdown()
      try await running.value
    case .cancelled:
      running.cancel()
      _ = await running.result
    }
  }
}
