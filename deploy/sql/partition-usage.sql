-- Partitions usage_record by month, so that a month can be dropped at once; docs/scaling.md#partitioning has the results. Not a
-- migration.  psql -v ON_ERROR_STOP=1 -1 -f deploy/sql/partition-usage.sql
ALTER TABLE usage_record RENAME TO usage_record_whole;
CREATE TABLE usage_record (LIKE usage_record_whole INCLUDING DEFAULTS) PARTITION BY RANGE (created_at);
DO $$ DECLARE month date; last date; BEGIN
    SELECT coalesce(date_trunc('month', min(created_at)), date_trunc('month', now()))::date,
           (date_trunc('month', now()) + interval '1 month')::date
      INTO month, last FROM usage_record_whole;
    WHILE month <= last LOOP
        EXECUTE format('CREATE TABLE usage_record_%s PARTITION OF usage_record FOR VALUES FROM (%L) TO (%L)',
                       to_char(month, 'YYYY_MM'), month, (month + interval '1 month')::date);
        month := (month + interval '1 month')::date;
    END LOOP;
END $$;
INSERT INTO usage_record SELECT * FROM usage_record_whole;
-- This key then no longer guarantees that a request is charged once; its hold and the ledger's unique reference do.
ALTER TABLE usage_record ADD PRIMARY KEY (id, created_at);
CREATE INDEX ON usage_record (account_id, id);
CREATE INDEX ON usage_record (account_id, created_at);
ALTER TABLE usage_record ADD FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE ON UPDATE CASCADE;
