# Makes the inputs of the bench that take a library: a workbook and two pairs of pictures.
# Usage: make_large_files.py FOLDER

import sys
from pathlib import Path

from openpyxl import Workbook
from PIL import Image

ROWS, COLUMNS = 20_000, 10
SIDE = 4_000

folder = Path(sys.argv[1])

workbook = Workbook(write_only=True)
sheet = workbook.create_sheet("Data")
for row in range(1, ROWS + 1):
    sheet.append([f"name {row}", *(row * column for column in range(2, COLUMNS + 1))])
workbook.save(folder / "workbook.xlsx")

# Grain, so that the pictures do not compress to nothing. The second one of a pair differs in a
# quarter of each side, a sixteenth of the pixels.
first = Image.merge("RGB", [Image.effect_noise((SIDE, SIDE), sigma) for sigma in (20, 30, 40)])
second = first.copy()
second.paste((0, 128, 255), (0, 0, SIDE // 4, SIDE // 4))
for name, image in (("first", first), ("second", second)):
    image.save(folder / f"{name}.png", compress_level=1)
    image.save(folder / f"{name}.jpg", quality=90)
