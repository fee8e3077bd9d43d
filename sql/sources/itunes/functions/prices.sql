CREATE OR REPLACE FUNCTION itunes.note_price() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO itunes.price_change (country, class, id, at, previous_price, previous_currency, price, currency)
  VALUES (new.country, new.class, new.id, clock_timestamp(), old.price, old.currency, new.price, new.currency);
  RETURN NULL;
END;
$$;
COMMENT ON FUNCTION itunes.note_price IS 'Trigger of itunes.item: notes a changed price in itunes.price_change.';

-- If a stored record is only derived again, the upstream has not changed the price, so raw must differ too.
-- Citus needs each statement alone, as a block of PL/pgSQL runs it.
DO $$
BEGIN
CREATE OR REPLACE TRIGGER note_price AFTER UPDATE ON itunes.item
FOR EACH ROW
WHEN ((old.price, old.currency) IS DISTINCT FROM (new.price, new.currency) AND old.raw IS DISTINCT FROM new.raw)
EXECUTE FUNCTION itunes.note_price();
END $$;
