import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

/// The catalog of Citus is simulated: jikan is on a lost machine, and pokeapi on another machine. `scripts/drill citus`
/// tests the extension itself.
@Suite(.timeLimit(.minutes(5)), .mirror, .ownersAlone("creates tables in pg_catalog"))
struct QueriesDistributedTests {
  private static func distribute(_ mirror: StoredMirror) async throws {
    try await mirror.owner.write { connection in
      try connection.script(
        """
        SET LOCAL allow_system_table_mods = on;
        CREATE TABLE pg_catalog.pg_dist_schema (schemaid oid, colocationid int);
        CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass, colocationid int);
        CREATE TABLE pg_catalog.pg_dist_shard (logicalrelid regclass, shardid bigint);
        CREATE TABLE pg_catalog.pg_dist_placement (shardid bigint, groupid int);
        CREATE TABLE pg_catalog.pg_dist_node (nodename text, nodeport int, groupid int);
        CREATE FUNCTION pg_catalog.citus_check_connection_to_node(name text, port int) RETURNS boolean LANGUAGE sql
        AS 'SELECT name = ''db3''';
        GRANT SELECT ON pg_dist_schema, pg_dist_partition, pg_dist_shard, pg_dist_placement, pg_dist_node TO PUBLIC;
        INSERT INTO pg_dist_node VALUES ('db1', 5432, 0), ('db2', 5432, 1), ('db3', 5432, 2), ('db4', 5432, 3);
        INSERT INTO pg_dist_schema VALUES ('jikan'::regnamespace, 1), ('pokeapi'::regnamespace, 2);
        INSERT INTO pg_dist_partition
        VALUES ('jikan.media', 1), ('jikan.media_counters', 1), ('pokeapi.resource', 2);
        INSERT INTO pg_dist_shard VALUES ('jikan.media', 1), ('jikan.media_counters', 2), ('pokeapi.resource', 3);
        INSERT INTO pg_dist_placement VALUES (1, 1), (2, 1), (3, 2);
        """)
    }
  }

  /// From now on, each query of an item of jikan fails like a query of a lost machine.
  private static func loseMachine(_ mirror: StoredMirror) async throws {
    for (function, type) in [("item_of", "favorite_item"), ("history_of", "favorite_history")] {
      try await mirror.execute(
        """
        CREATE OR REPLACE FUNCTION app.\(function)(of_source text, of_kind text, of_id bigint)
        RETURNS SETOF app.\(type) LANGUAGE plpgsql STABLE AS $$ BEGIN
          IF of_source = 'jikan' THEN
            RAISE 'connection to the remote node db2:5432 failed' USING ERRCODE = '08006';
          END IF;
          RETURN QUERY SELECT * FROM app.\(type) WHERE source = of_source AND kind = of_kind AND id = of_id;
        END $$
        """)
    }
  }

  @Test("doctor's facts name the machine of each schema, and each machine that does not answer")
  func facts() async throws {
    #expect(try await ServerFacts.read(mirror.database).distribution == nil)
    try await Self.distribute(mirror)
    let found = try #require(try await ServerFacts.read(mirror.database).distribution)
    #expect(found.schemas.map(\.name) == ["jikan", "pokeapi"])
    #expect(found.schemas.map(\.machines) == [["db2:5432"], ["db3:5432"]])
    #expect(found.lostMachines == ["db2:5432"] && found.lostSchemas.map(\.name) == ["jikan"])
  }

  @Test("favorites are listed without the sources of a lost machine, but only if a machine is lost")
  func favorites() async throws {
    try await WalkedList.run(mirror, [[Media(1)]])
    for item in [("jikan", "anime", 1), ("itunes", "track", 7)] {
      try await mirror.execute(
        "INSERT INTO app.favorite (collection, source, kind, id) VALUES ('a', $1, $2, $3)",
        [.text(item.0), .text(item.1), .int(Int64(item.2))])
    }
    func states(_ status: Favorites.Status? = nil) async throws -> [String?] {
      try column("state", try await Favorites.list(nil, status: status, in: mirror.database).rows)
    }
    #expect(try await states() == ["mirrored", "missing"])
    try await Self.loseMachine(mirror)
    await expectError(.database, "remote node", hint: "syncctl doctor names its schemas") { _ = try await states() }
    try await Self.distribute(mirror)
    #expect(try await states() == ["unavailable", "missing"])
    #expect(try await states(.watching).isEmpty)
    try await mirror.grant()
    try await mirror.asRole("syncctl_reader") { reader in
      let page = try await Favorites.list(nil, in: reader.database)
      #expect(try column("state", page.rows) == ["unavailable", "missing"])
      #expect(page.total == 2)
    }
  }

  @Test("a mirror whose functions migrate has restored is refused until sql/citus.sql replaces them")
  func forgotten() async throws {
    try await mirror.execute(
      #"ALTER DATABASE "\#(mirror.test.name)" SET citus.allow_nested_distributed_execution = on"#)
    try await mirror.other { database in
      await expectError(.configuration, "is distributed", hint: "sql/citus.sql") {
        _ = try await Migrator(database).status(isForUse: true)
      }
      #expect(try await Migrator(database).status().allSatisfy(\.isApplied))
      #expect(try await Migrator(database).migrate().isEmpty)
      try await Self.loseMachine(mirror)
      #expect(try await Migrator(database).status(isForUse: true).allSatisfy(\.isApplied))
      try await mirror.execute("UPDATE sync.function_set SET number = 0")
      #expect(try await !Migrator(database).status(isForUse: true).allSatisfy(\.isApplied))
      #expect(try await Migrator(database).migrate().count == 1)
      await expectError(.configuration, "is distributed") {
        _ = try await Migrator(database).status(isForUse: true)
      }
    }
  }

  @Test("nothing is restored over a distributed mirror")
  func restored() async throws {
    try await Self.distribute(mirror)
    let backup = Backup(mirror.database, environment: ThrowawayFolders.environment)
    let file = try BackupFile(reading: "/dev/null")
    defer { file.close() }
    for replaces in [false, true] {
      await expectError(.configuration, "jikan, pokeapi are on other machines", hint: "into a new database") {
        try await backup.restore(from: file, replacing: replaces)
      }
    }
  }
}
