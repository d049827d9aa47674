-- Collections share vector indexes now, whose names say which. After the start, the server drops the indexes of single
-- collections one by one, without blocking anyone, and builds the shared ones.
DROP TABLE vector_index;
