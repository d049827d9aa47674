-- Text that was recognized in images: where it is in a document, what an upload wants recognized, and how many pages a job
-- has recognized. Servers of the previous version can keep running: they neither read nor write the columns.
ALTER TABLE document ADD COLUMN recognized_ranges integer[], ADD COLUMN uncertain_ranges integer[];
ALTER TABLE document_upload ADD COLUMN ocr text NOT NULL DEFAULT 'auto' CHECK (ocr IN ('auto', 'off', 'force'));
ALTER TABLE job ADD COLUMN ocr_pages integer NOT NULL DEFAULT 0 CHECK (ocr_pages >= 0);
