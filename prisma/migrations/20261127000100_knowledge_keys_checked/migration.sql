-- The knowledge base's references that were made anew, checked: reads and writes go on meanwhile.
ALTER TABLE "collection" VALIDATE CONSTRAINT "collection_account_id_fkey";
ALTER TABLE "document" VALIDATE CONSTRAINT "document_collection_id_account_id_fkey";
ALTER TABLE "document" VALIDATE CONSTRAINT "document_account_id_fkey";
ALTER TABLE "document_upload" VALIDATE CONSTRAINT "document_upload_document_id_account_id_fkey";
ALTER TABLE "chunk" VALIDATE CONSTRAINT "chunk_document_id_account_id_fkey";
ALTER TABLE "chunk_vector" VALIDATE CONSTRAINT "chunk_vector_chunk_id_account_id_fkey";
ALTER TABLE "vector_index" VALIDATE CONSTRAINT "vector_index_collection_id_account_id_fkey";
ALTER TABLE "deleted_document" VALIDATE CONSTRAINT "deleted_document_collection_id_account_id_fkey";
ALTER TABLE "deleted_document" VALIDATE CONSTRAINT "deleted_document_account_id_fkey";
ALTER TABLE "job" VALIDATE CONSTRAINT "job_account_id_fkey";
