-- Documents know their file's name. Servers of the previous version keep running; documents that they accept have none.

ALTER TABLE document ADD COLUMN file_name text;
UPDATE document d SET file_name = u.name
  FROM document_upload u
 WHERE u.document_id = d.id AND u.account_id = d.account_id AND u.name IS NOT NULL AND (u.is_original OR u.content_hash IS NULL);
