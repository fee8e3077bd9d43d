-- Prices of iTunes' items as they change. An item whose price never changed has no row.

CREATE TABLE itunes.price_change (
  country           text NOT NULL,
  class             text NOT NULL,
  id                bigint NOT NULL,
  at                timestamptz NOT NULL,
  previous_price    numeric(12,2),
  previous_currency text,
  price             numeric(12,2),
  currency          text,
  PRIMARY KEY (country, class, id, at)
);
COMMENT ON TABLE  itunes.price_change IS 'When the price of an item changed, from the first run after the first sight of the item on.';
COMMENT ON COLUMN itunes.price_change.country IS 'Storefront.';
COMMENT ON COLUMN itunes.price_change.class IS 'As in itunes.item.';
COMMENT ON COLUMN itunes.price_change.id IS 'As in itunes.item.';
COMMENT ON COLUMN itunes.price_change.at IS 'When the mirror saw it.';
COMMENT ON COLUMN itunes.price_change.previous_price IS 'Price before, 0 if it was free; null if there was none.';
COMMENT ON COLUMN itunes.price_change.previous_currency IS 'Its currency.';
COMMENT ON COLUMN itunes.price_change.price IS 'Price after, 0 if it became free; null if there is none.';
COMMENT ON COLUMN itunes.price_change.currency IS 'Its currency.';
CREATE INDEX price_change_id ON itunes.price_change (id);
