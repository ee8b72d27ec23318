"""The parts of the tests beside this folder, and this folder's own."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
