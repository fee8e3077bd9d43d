-- Every way of evolution in a family.
-- $1 languages text[], $2 chain
WITH
/* best-name */
/* ways */
