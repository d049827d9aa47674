-- Whether a worker died while it parsed the job's file: a second time fails the job. Servers of the previous version can
-- keep running; they retry such a job as before.
ALTER TABLE job ADD COLUMN parsing_interrupted boolean NOT NULL DEFAULT false;
