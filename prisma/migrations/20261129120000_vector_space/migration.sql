-- How the cosines of an embedding space spread over the stored passages, so that similarities mean the same with every
-- model. It has no account's rows: it is measured over a sample of all collections.
CREATE TABLE vector_space (
    space         text NOT NULL,
    -- Of the cosines of sentences with passages that they aren't from.
    mean          double precision NOT NULL,
    deviation     double precision NOT NULL,
    -- The median distance of a sentence to its own passage from the mean, in deviations.
    separation    double precision NOT NULL,
    -- How many passages there were.
    passages      integer NOT NULL,
    calibrated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT vector_space_pkey PRIMARY KEY (space)
);
