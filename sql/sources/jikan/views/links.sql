CREATE OR REPLACE VIEW jikan.media_link AS
SELECT l.kind, l.mal_id, u.facet COLLATE "default" AS facet, u.linked_id, u.name COLLATE "default" AS name
FROM jikan.media_links l CROSS JOIN LATERAL unnest(l.facets, l.linked_ids, l.names) AS u (facet, linked_id, name);
COMMENT ON VIEW   jikan.media_link IS 'The links of anime and manga, one row for each link. jikan.media_genre, jikan.anime_studio and other views show the links of single facets.';
COMMENT ON COLUMN jikan.media_link.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.media_link.mal_id IS 'MyAnimeList''s id of the anime or manga.';
COMMENT ON COLUMN jikan.media_link.facet IS 'The member of the document that has the link: genres, explicit_genres, themes, demographics, studios, producers, licensors, authors or serializations.';
COMMENT ON COLUMN jikan.media_link.linked_id IS 'MyAnimeList''s id of the genre, company, person or magazine.';
COMMENT ON COLUMN jikan.media_link.name IS 'Name of the linked item, as in the document.';

CREATE OR REPLACE VIEW jikan.media_genre AS
SELECT kind, mal_id, facet, linked_id AS genre_id, name AS genre
FROM jikan.media_link WHERE facet IN ('genres', 'explicit_genres', 'themes', 'demographics');
COMMENT ON VIEW   jikan.media_genre IS 'Genres, themes and demographics of anime and manga, one row for each.';
COMMENT ON COLUMN jikan.media_genre.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.media_genre.mal_id IS 'MyAnimeList''s id within the kind.';
COMMENT ON COLUMN jikan.media_genre.facet IS 'genres, explicit_genres, themes or demographics.';
COMMENT ON COLUMN jikan.media_genre.genre_id IS 'MyAnimeList''s id of the genre, as in jikan.genre.';
COMMENT ON COLUMN jikan.media_genre.genre IS 'Name, e.g. Action.';

CREATE OR REPLACE VIEW jikan.anime_studio AS
SELECT mal_id, linked_id AS studio_id, name AS studio
FROM jikan.media_link WHERE kind = 'anime' AND facet = 'studios';
COMMENT ON VIEW   jikan.anime_studio IS 'Studios of anime, one row for each.';
COMMENT ON COLUMN jikan.anime_studio.mal_id IS 'MyAnimeList''s id of the anime.';
COMMENT ON COLUMN jikan.anime_studio.studio_id IS 'MyAnimeList''s id of the company.';
COMMENT ON COLUMN jikan.anime_studio.studio IS 'Name, e.g. Madhouse.';

CREATE OR REPLACE VIEW jikan.anime_producer AS
SELECT mal_id, linked_id AS producer_id, name AS producer
FROM jikan.media_link WHERE kind = 'anime' AND facet = 'producers';
COMMENT ON VIEW   jikan.anime_producer IS 'Producers of anime, one row for each.';
COMMENT ON COLUMN jikan.anime_producer.mal_id IS 'MyAnimeList''s id of the anime.';
COMMENT ON COLUMN jikan.anime_producer.producer_id IS 'MyAnimeList''s id of the company.';
COMMENT ON COLUMN jikan.anime_producer.producer IS 'Name, e.g. Aniplex.';

CREATE OR REPLACE VIEW jikan.anime_licensor AS
SELECT mal_id, linked_id AS licensor_id, name AS licensor
FROM jikan.media_link WHERE kind = 'anime' AND facet = 'licensors';
COMMENT ON VIEW   jikan.anime_licensor IS 'Licensors of anime, one row for each.';
COMMENT ON COLUMN jikan.anime_licensor.mal_id IS 'MyAnimeList''s id of the anime.';
COMMENT ON COLUMN jikan.anime_licensor.licensor_id IS 'MyAnimeList''s id of the company.';
COMMENT ON COLUMN jikan.anime_licensor.licensor IS 'Name, e.g. Funimation.';

CREATE OR REPLACE VIEW jikan.manga_author AS
SELECT mal_id, linked_id AS author_id, name AS author
FROM jikan.media_link WHERE kind = 'manga' AND facet = 'authors';
COMMENT ON VIEW   jikan.manga_author IS 'Authors of manga, one row for each.';
COMMENT ON COLUMN jikan.manga_author.mal_id IS 'MyAnimeList''s id of the manga.';
COMMENT ON COLUMN jikan.manga_author.author_id IS 'MyAnimeList''s id of the person.';
COMMENT ON COLUMN jikan.manga_author.author IS 'Family name, given name.';

CREATE OR REPLACE VIEW jikan.manga_serialization AS
SELECT mal_id, linked_id AS magazine_id, name AS magazine
FROM jikan.media_link WHERE kind = 'manga' AND facet = 'serializations';
COMMENT ON VIEW   jikan.manga_serialization IS 'Magazines in which manga are or were published, one row for each.';
COMMENT ON COLUMN jikan.manga_serialization.mal_id IS 'MyAnimeList''s id of the manga.';
COMMENT ON COLUMN jikan.manga_serialization.magazine_id IS 'MyAnimeList''s id of the magazine.';
COMMENT ON COLUMN jikan.manga_serialization.magazine IS 'Name, e.g. Young Animal.';
