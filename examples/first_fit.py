"""The main job so far: a fit, and everything it knows.

The table is that of script B: two inputs that say almost the same. Least squares answers with huge weights of opposite
sign, and the numerics say why.
"""

from glaswerk import LinearRegression

ROWS = [[-0.2, -0.1996], [0.2, 0.1993], [1.0, 1.0017], [0.6, 0.5985]]
HEIGHTS = [0.49, 0.64, 1.39, 1.08]

if __name__ == "__main__":
    print(LinearRegression().fit(ROWS, HEIGHTS).facts())
