-- Its statements get arrays of any length, for which PostgreSQL would plan them again in every call, to the same plans.
ALTER FUNCTION settle_holds(text, jsonb) SET plan_cache_mode = force_generic_plan;
