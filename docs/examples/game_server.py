"""A game server in miniature: plays simulated tables side by side and sends them to Mingpai as they happen.

    MINGPAI_KEY=mp_… python docs/examples/game_server.py http://127.0.0.1:8000 --tables 4 --pace 0.05

Stop and start the service meanwhile: every event arrives, once. What is left when this program ends waits in the spool
for the next client that opens it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from replays.events import Event, GameStarted
from schema.paipu import document
from service.client import MingpaiClient, Refusal
from service.simulator.games import simulate_game


def main() -> int:
    """Plays until every table is done and waits for the answers; 0 if everything has arrived."""
    asked = arguments()
    key = os.environ.get("MINGPAI_KEY")
    if not key:
        sys.exit("MINGPAI_KEY is not set: mingpai keys create --role server")
    with MingpaiClient(asked.url, key, spool=asked.spool, on_refusal=refused) as client:
        for game, event in happening(asked.ruleset, asked.seed, asked.tables):
            send(client, game, event)
            time.sleep(asked.pace)
        has_arrived = client.flush(asked.wait)
        for state in client.states():
            print(f"{state.game}: {state.acknowledged} of {state.taken} events have arrived")
    print("everything has arrived" if has_arrived else "the rest waits in the spool")
    return 0 if has_arrived else 1


def happening(ruleset: str, seed: int, tables: int) -> Iterator[tuple[str, Event]]:
    """What happens at all tables: an event at each in turn, with the id of its game."""
    games: list[str] = []
    for turn in zip_longest(*(simulate_game(ruleset, seed, index) for index in range(tables))):
        games = games or [event.game for event in turn]
        yield from ((game, event) for game, event in zip(games, turn, strict=True) if event is not None)


def send(client: MingpaiClient, game: str, event: Event) -> None:
    """Gives one event to the client; it is safe in the spool when this returns."""
    if isinstance(event, GameStarted):
        client.open_game(document(event))
    else:
        client.append(game, document(event))


def refused(game: str, refusal: Refusal) -> None:
    """What the service will not take is for a person to look at."""
    print(f"{game} is refused from seq {refusal.seq} on: {refusal.code}, {refusal.message}", file=sys.stderr)


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="Plays simulated tables and sends them to Mingpai.")
    parser.add_argument("url", help="where the service is, such as http://127.0.0.1:8000")
    parser.add_argument("--spool", type=Path, default=Path("spool"), help="folder for what is not sent yet")
    parser.add_argument("--ruleset", default="xiamen")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="the same seed plays the same games")
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--pace", type=float, default=0.05, help="seconds between two events")
    parser.add_argument("--wait", type=float, default=60, help="seconds to wait for the last answers")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
