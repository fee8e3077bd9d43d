import SyncCore
import SyncPostgres
import Testing

@testable import RestSource

/// A public example of dlt's `rest_api`, written as YAML.
struct DltExample: Sendable, CustomTestStringConvertible {
  /// A change that the example needs, because a key is missing here or not supported.
  struct Change: Sendable {
    let error: String
    let text: String
    let replacement: String

    init(_ error: String, _ text: String, _ replacement: String) {
      self.error = error
      self.text = text
      self.replacement = replacement
    }
  }

  let testDescription: String
  let yaml: String
  /// In the order of the errors.
  var changes: [Change] = []
  /// Each resource: its path with the parameters, its paginator, its key and its lists.
  let resources: [String]
}

@Suite("Public examples of dlt")
struct DltExampleTests {
  @Test("run unchanged, or an error names each key that must change", arguments: examples)
  func example(_ example: DltExample) throws {
    var yaml = example.yaml
    for change in example.changes {
      let error = try DeclarationText.error(of: yaml)
      #expect(error.code == .configuration)
      #expect(error.message.contains(change.error))
      try #require(yaml.contains(change.text))
      yaml = yaml.replacing(change.text, with: change.replacement)
    }
    let resources = try DeclarationText.read(yaml).resources.map { resource in
      let address = resource.path + (resource.query.isEmpty ? "" : "?\(resource.query)")
      let lists = resource.lists.map { ", \($0.summary)" } ?? ""
      return "\(address), \(resource.paginator.summary), \(resource.table.columns[0].summary)\(lists)"
    }
    #expect(resources == example.resources)
  }

  private static let examples = [
    DltExample(
      testDescription: "GitHub: issues and their comments",
      yaml: """
        client:
          base_url: https://api.github.com/repos/dlt-hub/dlt/
          auth: { token: { env: GITHUB_TOKEN } }
        resource_defaults:
          primary_key: id
          write_disposition: merge
          endpoint: { params: { per_page: 100 } }
        resources:
          - name: issues
            endpoint:
              path: issues
              params:
                sort: updated
                direction: desc
                state: open
                since: { type: incremental, cursor_path: updated_at, initial_value: "2024-01-25T11:21:28Z" }
          - name: issue_comments
            endpoint: { path: "issues/{resources.issues.number}/comments" }
            include_from_parent: [id]
        """,
      changes: [
        .init(
          "shop.yaml:9: sources.shop.resources[0] has no paginator", "client:", "client:\n  paginator: header_link")
      ],
      resources: [
        "issues?per_page=100&sort=updated&direction=desc&state=open, header next, id id bigint",
        "issues/{0}/comments?per_page=100, header next, id id bigint, issues: number; with id",
      ]),
    DltExample(
      testDescription: "GitHub: the issues of repositories and their comments, with parameters of the type resolve",
      yaml: """
        client:
          base_url: https://api.github.com/
          paginator: header_link
        resource_defaults:
          primary_key: id
          endpoint: { params: { per_page: 100 } }
        resources:
          - name: comments
            endpoint:
              path: repos/{owner}/{repository}/issues/{number}/comments
              params:
                owner: { type: resolve, resource: issues, field: repository.owner.login }
                repository: { type: resolve, resource: issues, field: $.repository.name }
                number: { type: resolve, resource: issues, field: number }
            include_from_parent: [id, title]
          - name: repos
            endpoint: orgs/dlt-hub/repos
          - name: issues
            endpoint:
              path: repos/{resources.repos.owner.login}/{resources.repos.name}/issues
              params: { state: all }
            include_from_parent: [name]
        """,
      resources: [
        "orgs/dlt-hub/repos?per_page=100, header next, id id bigint",
        "repos/{0}/{1}/issues?per_page=100&state=all, header next, id id bigint, repos: owner.login, name; with name",
        "repos/{0}/{1}/issues/{2}/comments?per_page=100, header next, id id bigint, "
          + "issues: repository.owner.login, repository.name, number; with id, title",
      ]),
    DltExample(
      testDescription: "PokeAPI: a list and the details of its items",
      yaml: """
        client: { base_url: https://pokeapi.co/api/v2/, paginator: json_link }
        resources:
          - name: pokemon
            primary_key: name
            columns: { name: { data_type: text } }
            endpoint: { path: pokemon, data_selector: results, params: { limit: 1000 } }
          - name: pokemon_details
            primary_key: id
            endpoint: { path: "pokemon/{resources.pokemon.name}", data_selector: $, paginator: single_page }
          - name: berry
            primary_key: name
            columns: { name: { data_type: text } }
            endpoint: { data_selector: results }
        """,
      resources: [
        "pokemon?limit=1000, link next, name name text", "pokemon/{0}, single, id id bigint, pokemon: name",
        "berry, link next, name name text",
      ]),
    DltExample(
      testDescription: "PokeAPI",
      yaml: """
        client: { base_url: https://pokeapi.co/api/v2/, paginator: json_link }
        resource_defaults: { endpoint: { params: { limit: 1000 }, data_selector: results }, write_disposition: replace }
        resources:
          - { name: pokemon, primary_key: name, write_disposition: merge, columns: { name: { data_type: text } } }
          - berry
          - location
        """,
      changes: [
        .init(
          "shop.yaml:5: sources.shop.resources[1] has no primary_key", "resource_defaults: {",
          "resource_defaults: { primary_key: name, columns: { name: text },")
      ],
      resources: ["pokemon", "berry", "location"].map { "\($0)?limit=1000, link next, name name text" }),
    DltExample(
      testDescription: "JSONPlaceholder: users, posts and their comments",
      yaml: """
        client:
          base_url: https://jsonplaceholder.typicode.com/
        resources:
          - users
          - posts
          - name: post_comments
            endpoint: { path: comments, params: { postId: "{resources.posts.id}" } }
            include_from_parent: [title]
        """,
      changes: [
        .init(
          "shop.yaml:4: sources.shop.resources[0] has no primary_key", "resources:\n",
          "resource_defaults: { primary_key: id }\nresources:\n"),
        .init(
          "shop.yaml:5: sources.shop.resources[0] has no paginator", "client:", "client:\n  paginator: single_page"),
      ],
      resources: [
        "users, single, id id bigint", "posts, single, id id bigint",
        "comments?postId={0}, single, id id bigint, posts: id; with title",
      ]),
    DltExample(
      testDescription: "SpaceX",
      yaml: """
        client:
          base_url: https://api.spacexdata.com/v4/
          paginator: { type: json_link, next_url_path: paging.next }
        resource_defaults: { write_disposition: replace }
        resources: [launches, crew, landpads, launchpads, rockets]
        """,
      changes: [
        .init(
          "shop.yaml:5: sources.shop.resources[0] has no primary_key", "{ write_disposition",
          "{ primary_key: id, columns: { id: text }, write_disposition")
      ],
      resources: ["launches", "crew", "landpads", "launchpads", "rockets"].map { "\($0), link paging.next, id id text" }
    ),
    DltExample(
      testDescription: "the taxi data of a course: numbered pages until an empty page",
      yaml: """
        client:
          base_url: https://us-central1-dlthub-analytics.cloudfunctions.net
          headers: { Content-Type: application/json }
        resources:
          - name: taxi
            endpoint:
              path: data_engineering_zoomcamp_api
              paginator: { type: page_number, base_page: 1, total_path: null }
        """,
      changes: [
        .init(
          "shop.yaml:5: sources.shop.resources[0] has no primary_key", "name: taxi", "name: taxi\n    primary_key: id")
      ],
      resources: ["data_engineering_zoomcamp_api, page=1, size=?, id id bigint"]),
    DltExample(
      testDescription: "a blog: a cursor in the body, and only what changed",
      yaml: """
        client:
          base_url: https://api.example.com/
          auth: { type: api_key, name: X-Api-Key, location: header, api_key: { file: key.txt } }
          paginator: { type: cursor, cursor_path: response_metadata.next_cursor, cursor_param: cursor }
        resource_defaults: { primary_key: id, write_disposition: merge }
        resources:
          - name: posts
            endpoint:
              path: posts
              method: GET
              data_selector: $.results[*]
              params: { limit: 100, created_since: "{incremental.start_value}" }
              incremental: { cursor_path: created_at, initial_value: "2024-01-25T00:00:00Z" }
        """,
      resources: ["posts?limit=100, cursor from response_metadata.next_cursor, id id bigint"]),
  ]
}
