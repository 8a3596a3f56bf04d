"""Damages compiled shaders at random and reads them: no exception, and no reading over 100 ms of processor time.

    python tests/benchmarks/mutated_containers.py --count 1000000 --seed 1 FOLDER

FOLDER holds containers; without it those of the tests are taken. Prints figures; ends with 1 where the limit is broken.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from bindlint.facts.container import read_container

LIMIT = 0.1
"""Seconds of processor time for one container."""

OWN = Path(__file__).resolve().parents[1] / "unit" / "containers"
LARGEST = 32_768
"""Bytes of a container that is taken, so that a run is about damage and not about size."""


def containers(folder: Path) -> list[bytes]:
    """The files of a folder, in the order of their names."""
    found = [path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in (".cso", ".dxil", ".bin")]
    return [data for data in found if len(data) <= LARGEST]


def damaged(random: Random, data: bytes) -> bytes:
    """The same with one to eight bytes, words or stretches changed; words often become offsets and sizes."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 4, 8))):
        place = random.randrange(len(changed) or 1)
        kind = random.random()
        if kind < 0.35:
            changed[place : place + 1] = bytes([random.randrange(256)])
        elif kind < 0.8:
            word = random.choice(
                (0, 1, 2, 4, 24, 32, len(data), len(data) - 4, 0x7FFFFFFF, 0xFFFFFFFF, random.randrange(len(data)))
            )
            place &= ~3
            changed[place : place + 4] = word.to_bytes(4, "little")
        elif kind < 0.9:
            del changed[place:]
        else:
            changed[place:place] = changed[: random.randrange(64)]
    return bytes(changed)


def mutants(seeds: list[bytes], count: int, seed: int) -> Iterator[bytes]:
    """`count` damaged containers, the same for the same seed."""
    random = Random(seed)
    return (damaged(random, random.choice(seeds)) for _ in range(count))


def main() -> int:
    parser = argparse.ArgumentParser(description="Read damaged containers.")
    parser.add_argument("folder", nargs="?", type=Path, default=OWN)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    seeds = containers(options.folder)
    faulty = slow = 0
    worst = 0.0
    for data in mutants(seeds, options.count, options.seed):
        start = time.process_time()
        read = read_container(data)
        spent = time.process_time() - start
        faulty += bool(read.problems)
        slow += spent > LIMIT
        worst = max(worst, spent)
    print(f"{options.count} mutants of {len(seeds)} containers, seed {options.seed}: no exception,")
    print(f"{faulty} with findings, {slow} over {LIMIT * 1000:.0f} ms, the slowest {worst * 1000:.1f} ms")
    return int(slow > 0)


if __name__ == "__main__":
    sys.exit(main())
