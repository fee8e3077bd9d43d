CREATE TABLE body (body jsonb)
