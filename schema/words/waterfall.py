"""What the steps of a waterfall are called (``replays.rulebook.Step``)."""

from __future__ import annotations

from schema.words import Rows

STEPS: Rows = {
    "base": ("base", "底", "底"),
    "water": ("water", "水", "水"),
    "factor": ("multiplier of the way of winning", "胡法倍数", "胡法倍數"),
    "bonus": ("bonus", "奖金", "獎金"),
    "value": ("value of the way of winning", "胡法番值", "胡法番值"),
    "shape": ("multiplier of the hand's shape", "牌型倍数", "牌型倍數"),
    "dealer_double": ("doubled for the dealer", "庄家加倍", "莊家加倍"),
    "kong": ("kong", "杠", "槓"),
    "flower_kong": ("flower kong", "花杠", "花槓"),
    "go_around": ("share of a go-around", "分饼", "分餅"),
    "go_around_again": ("doubled from go-around to go-around", "逐圈加倍", "逐圈加倍"),
    "water_of_payee": ("water of who is paid", "收方水数", "收方水數"),
    "water_of_payer": ("less the water of who pays", "减去付方水数", "減去付方水數"),
    "net": ("net", "净额", "淨額"),
}
