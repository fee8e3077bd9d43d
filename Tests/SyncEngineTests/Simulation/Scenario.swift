import SyncCore
import SyncEngine

enum Scenario {
  static func windows(in world: World) -> [RateWindow] {
    switch world.pick(0...4) {
    case 0: []
    case 1: [RateWindow(requests: world.pick(1...5), interval: .seconds(1))]
    case 2: [RateWindow(requests: world.pick(5...70), interval: .seconds(60))]
    default:
      [
        RateWindow(requests: world.pick(1...5), interval: .seconds(world.pick(1...3))),
        RateWindow(requests: world.pick(10...80), interval: .seconds(world.pick(20...90))),
      ]
    }
  }

  static func schedule(_ simulation: Simulation) {
    let world = simulation.world
    let span = world.pick(of: [20, 60, 60, 300, 2000]) ?? 60
    func sometime() -> Duration { world.pick(milliseconds: 0...span * 1000) }

    for number in 0..<world.pick(1...5) {
      world.after(number == 0 ? .zero : sometime()) { launch(simulation, span) }
    }
    if world.happens(0.3) {
      for _ in 0..<world.pick(1...2) {
        let duration = world.pick(milliseconds: 1000...400_000)
        world.after(sometime()) {
          if world.happens(0.5) {
            simulation.upstream.faults.goDown(for: duration, in: world)
          } else {
            simulation.upstream.faults.burst(for: duration, in: world)
          }
        }
      }
    }
    if world.happens(0.3) {
      for _ in 0..<world.pick(1...3) {
        let duration = world.pick(milliseconds: 100...(world.happens(0.3) ? 200_000 : 20_000))
        world.after(sometime()) { simulation.database.faults.goDown(for: duration, in: world) }
      }
    }
    if world.happens(0.05) {
      let jump = world.pick(milliseconds: 1...3_600_000)
      world.after(sometime()) { simulation.database.setClockBack(by: jump) }
    }
    for _ in 0..<world.pick(0...6) {
      let list = world.pick(0...simulation.upstream.lists.count - 1)
      world.after(sometime()) { simulation.upstream.change(list: list) }
    }
    if world.happens(0.15) {
      simulation.database.keepHistory()
      for _ in 0..<world.pick(1...2) {
        let count = world.pick(1...(world.happens(0.5) ? 3 : 30))
        world.after(sometime()) { simulation.database.forget(last: count) }
      }
    }
    world.after(.seconds(span) + world.pick(milliseconds: 0...600_000)) { simulation.calm() }
  }

  private static func launch(_ simulation: Simulation, _ span: Int) {
    let world = simulation.world
    var options = StreamRun.Options()
    if world.happens(0.15) { options.maxPages = world.pick(1...5) }
    options.isFull = world.happens(0.1)
    options.waitsForLease = world.happens(0.2)
    var lists = Array(simulation.upstream.lists.indices)
    if world.happens(0.3) { lists.shuffle(using: &world.chance) }
    let process = simulation.launch(lists: lists, options)
    // Half of the events happen within 5 s, because most processes end soon.
    func later() -> Duration { world.pick(milliseconds: 0...(world.happens(0.5) ? 5000 : span * 1000)) }
    if world.happens(0.3) { world.after(later()) { process.kill() } }
    if world.happens(0.1) { world.after(later()) { process.terminate() } }
    if world.happens(0.25) {
      let rest = world.pick(milliseconds: 10...(world.happens(0.5) ? 3000 : 300_000))
      world.after(later()) {
        process.freeze()
        world.after(rest) {
          if rest > simulation.database.leaseTTL, process.state == .frozen { world.cover(.freezeBeyondLease) }
          process.thaw()
        }
      }
    }
  }
}
