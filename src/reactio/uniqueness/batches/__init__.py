"""Verdicts on many matrices of one model: kernels settle the clear ones and leave every doubt to the full analysis.

They scale as ``linear.scaling`` does and factorise C̃ by Householder reflections instead of an SVD.  A matrix is *clear*
where guaranteed bounds leave one reading: of the rank, of every share in a self-stress, of the second scaling, and of
near misses of a special geometry.  What is clear has the verdicts of ``solvability``; the rest is judged by it.
"""
