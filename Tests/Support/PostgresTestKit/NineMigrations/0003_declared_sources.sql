-- Sources that the configuration file declares: their tables, and where their walks continue.

CREATE TABLE sync.declared_resource (
  source      text NOT NULL,
  resource    text NOT NULL,
  key         text[] NOT NULL,
  selector    text NOT NULL,
  columns     jsonb NOT NULL,
  counters    text[] NOT NULL,
  has_list    boolean NOT NULL,
  cursor      jsonb,
  declared_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (source, resource)
);
COMMENT ON TABLE  sync.declared_resource IS 'Resources of declared sources (type: rest_api) whose tables syncctl migrate created.';
COMMENT ON COLUMN sync.declared_resource.source IS 'Source, which is also the name of its schema.';
COMMENT ON COLUMN sync.declared_resource.resource IS 'Resource, which is also the name of its stream and its table.';
COMMENT ON COLUMN sync.declared_resource.key IS 'Members of the primary key.';
COMMENT ON COLUMN sync.declared_resource.selector IS 'Path of the items in a page; empty if a page is the array of items.';
COMMENT ON COLUMN sync.declared_resource.columns IS 'Typed columns: an object of names, each with a path and a type.';
COMMENT ON COLUMN sync.declared_resource.counters IS 'Members that are stored in the table of counters.';
COMMENT ON COLUMN sync.declared_resource.has_list IS 'Whether positions are stored.';
COMMENT ON COLUMN sync.declared_resource.cursor IS 'Largest value of the incremental cursor in the last walk that reached the end; null without incremental.';
COMMENT ON COLUMN sync.declared_resource.declared_at IS 'When syncctl migrate created or changed the tables.';

ALTER TABLE sync.walk_page ADD COLUMN next text;
COMMENT ON COLUMN sync.walk_page.next IS 'Address or cursor of the next page, as the page named it; null for pages with numbers, and for the last page.';

-- The table has the rights of sync.job_run. Until sql/roles.sql is run again, workers and readers would be refused without them.
DO $$
DECLARE
  statement text;
BEGIN
  FOR statement IN
    SELECT format('GRANT %s ON sync.declared_resource TO %s', a.privilege_type, coalesce(quote_ident(r.rolname), 'PUBLIC'))
    FROM pg_catalog.pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
    WHERE c.oid = 'sync.job_run'::regclass AND a.grantee <> c.relowner AND a.privilege_type IN ('SELECT', 'UPDATE')
  LOOP
    EXECUTE statement;
  END LOOP;
END $$;
