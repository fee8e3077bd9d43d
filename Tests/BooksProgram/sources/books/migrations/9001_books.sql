CREATE SCHEMA books;

CREATE TABLE books.book (
  id            bigint PRIMARY KEY,
  title         text,
  raw           jsonb NOT NULL,
  content_hash  bytea NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  requested_at  timestamptz,
  changed_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
