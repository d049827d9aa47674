-- Whether requests with a preset ignore what its model doesn't support; null: they do if it is the built-in one. Servers of the
-- previous version can keep running.
ALTER TABLE preset ADD COLUMN ignore_unsupported boolean;
