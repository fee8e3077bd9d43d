-- A key identifies an item within a storefront. Its lowest four bits are the number of the class, above them is the id.

CREATE OR REPLACE FUNCTION itunes.key(class text, id bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN id << 4 | coalesce(array_position(
  ARRAY['track', 'collection', 'artist', 'podcast', 'podcast-episode', 'audiobook', 'ebook', 'app'], class), 0);
COMMENT ON FUNCTION itunes.key IS 'Key of an item within a storefront: the id, with the number of the class in the last four bits.';

CREATE OR REPLACE FUNCTION itunes.key_class(key bigint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce((ARRAY['track', 'collection', 'artist', 'podcast', 'podcast-episode', 'audiobook', 'ebook', 'app'])
                [(key & 15)::integer], 'other');
COMMENT ON FUNCTION itunes.key_class IS 'Class of the item that a key stands for.';

CREATE OR REPLACE FUNCTION itunes.key_id(key bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN key >> 4;
COMMENT ON FUNCTION itunes.key_id IS 'Id of the item that a key stands for.';
