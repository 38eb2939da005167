"""The fixed seeds of the long tests, printed at the head of every run."""

SIMULATED = 20_260_301  #: games that simulator and fault tests play
BULK = 4_711  #: the ten thousand hands
FAULTS = b"faults"  #: where faults are planted
LAWS = 20_260_401  #: games of random legal play
