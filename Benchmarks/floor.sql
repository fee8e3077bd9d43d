-- A table with the columns of a mirror and PostgreSQL's default settings, to measure the floor (see README.md).
CREATE SCHEMA jikan;
CREATE TABLE jikan.anime (
  kind           text NOT NULL,
  mal_id         bigint NOT NULL,
  title          text NOT NULL,
  title_english  text,
  title_japanese text,
  type           text,
  source         text,
  episodes       integer,
  status         text,
  airing         boolean,
  aired_from     timestamptz,
  rating         text,
  score          numeric,
  scored_by      integer,
  rank           integer,
  popularity     integer,
  members        integer,
  favorites      integer,
  season         text,
  year           integer,
  url            text,
  image_url      text,
  synopsis       text,
  raw            jsonb NOT NULL,
  PRIMARY KEY (kind, mal_id)
)
