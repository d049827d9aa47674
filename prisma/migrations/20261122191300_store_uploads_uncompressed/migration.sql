-- Most documents are compressed already. Trying again takes seconds for the largest, and an upload is soon deleted.
ALTER TABLE document_upload ALTER COLUMN bytes SET STORAGE EXTERNAL;
