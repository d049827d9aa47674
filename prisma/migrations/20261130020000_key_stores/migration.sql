-- The vector stores and knowledge bases that a key is bound to, of whose documents alone it knows; null if it isn't bound.
-- Servers of the previous version can keep running, but bind no key before they are replaced: they ignore it.
-- Without a foreign key: a key whose stores are gone must stay bound to them.
ALTER TABLE api_key ADD COLUMN stores text[];
