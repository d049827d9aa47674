-- The references that were made anew, checked: reads and writes go on meanwhile.
ALTER TABLE "api_key" VALIDATE CONSTRAINT "api_key_account_id_fkey";
ALTER TABLE "api_key" VALIDATE CONSTRAINT "api_key_person_id_account_id_fkey";
ALTER TABLE "key_secret" VALIDATE CONSTRAINT "key_secret_key_id_account_id_fkey";
ALTER TABLE "key_spend" VALIDATE CONSTRAINT "key_spend_key_id_account_id_fkey";
ALTER TABLE "person" VALIDATE CONSTRAINT "person_account_id_fkey";
ALTER TABLE "collection" VALIDATE CONSTRAINT "collection_person_id_account_id_fkey";
ALTER TABLE "hold" VALIDATE CONSTRAINT "hold_account_id_fkey";
ALTER TABLE "ledger_entry" VALIDATE CONSTRAINT "ledger_entry_account_id_fkey";
ALTER TABLE "usage_record" VALIDATE CONSTRAINT "usage_record_account_id_fkey";
ALTER TABLE "stored_completion" VALIDATE CONSTRAINT "stored_completion_account_id_fkey";
ALTER TABLE "stored_completion" VALIDATE CONSTRAINT "stored_completion_person_id_account_id_fkey";
ALTER TABLE "audit_event" VALIDATE CONSTRAINT "audit_event_account_id_fkey";
ALTER TABLE "audit_name" VALIDATE CONSTRAINT "audit_name_account_id_fkey";
