-- Who works on a job, and its row in the queue: both are gone when nobody does.
ALTER TABLE "job" ADD COLUMN "queue_id" UUID, ADD COLUMN "worker" INTEGER;
