-- Where each page begins in the text, from page 1; null without pages. Servers of the previous version can keep running:
-- they neither read nor write the column. Of documents that were parsed before, a quote's page is its passage's first page.
ALTER TABLE document ADD COLUMN page_starts integer[];
