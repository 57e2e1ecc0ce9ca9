"""Linear algebra on arrays: ranks, null spaces and their continuation, scaling, least norm, sparse QR."""
