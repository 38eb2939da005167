"""What findings on the record itself say: its order and totals, and the proof of the shuffle; see ``findings``."""

from __future__ import annotations

from schema.words import Rows

#: The log itself: envelope, order, totals.
LOG: Rows = {
    "wrong_seq": (
        "Event number {r[seq]} was recorded where {e[seq]} was due.",
        "此处事件编号应为 {e[seq]}，记录为 {r[seq]}。",
        "此處事件編號應為 {e[seq]}，記錄為 {r[seq]}。",
    ),
    "clock_backwards": (
        "The clock ran backwards: recorded {r[at]}, expected {e[from]} or later.",
        "时间倒退：记录为 {r[at]}，应不早于 {e[from]}。",
        "時間倒退：記錄為 {r[at]}，應不早於 {e[from]}。",
    ),
    "out_of_phase": (
        "This event does not belong here; what could follow was: {e[types]}.",
        "此事件不应出现在这里，此处可有的是：{e[types]}。",
        "此事件不應出現在這裡，此處可有的是：{e[types]}。",
    ),
    "wrong_hand": (
        "The event names hand {r[hand]}, but it is hand {e[hand]}.",
        "事件记为第 {r[hand]} 盘，实为第 {e[hand]} 盘。",
        "事件記為第 {r[hand]} 盤，實為第 {e[hand]} 盤。",
    ),
    "wrong_dealer": (
        "Seat {r[dealer]} was recorded as dealer, but seat {e[dealer]} deals, with a streak of {e[streak]}.",
        "记录由 {r[dealer]} 号座坐庄，应由 {e[dealer]} 号座坐庄，连庄数 {e[streak]}。",
        "記錄由 {r[dealer]} 號座坐莊，應由 {e[dealer]} 號座坐莊，連莊數 {e[streak]}。",
    ),
    "wrong_streak": (
        "A streak of {r[streak]} was recorded for the dealer, seat {e[dealer]}; it is {e[streak]}.",
        "庄家 {e[dealer]} 号座的连庄数记为 {r[streak]}，应为 {e[streak]}。",
        "莊家 {e[dealer]} 號座的連莊數記為 {r[streak]}，應為 {e[streak]}。",
    ),
    "scores_do_not_follow": (
        "The scores recorded are {r[scores]}; from what went before they are {e[scores]}.",
        "记录的分数为 {r[scores]}，按前文应为 {e[scores]}。",
        "記錄的分數為 {r[scores]}，按前文應為 {e[scores]}。",
    ),
}

#: Commitments, seeds, wall and dice.
FAIRNESS: Rows = {
    "not_in_root": (
        "The commitment of hand {hand} is not proven to be in the root that was published before the game.",
        "第 {hand} 盘的承诺值未能证明在开局前公布的根之中。",
        "第 {hand} 盤的承諾值未能證明在開局前公布的根之中。",
    ),
    "not_opened": (
        "The commitment of hand {hand} cannot be checked: {e[member]} was not revealed, or is no hex text.",
        "第 {hand} 盘的承诺值无法核对：{e[member]} 未公开或不是十六进制文本。",
        "第 {hand} 盤的承諾值無法核對：{e[member]} 未公開或不是十六進位文字。",
    ),
    "F-SEED-1/not_opened": (
        "Seat {seat} committed to a secret and did not open it.",
        "{seat} 号座承诺了种子而未公开。",
        "{seat} 號座承諾了種子而未公開。",
    ),
    "not_committed": (
        "Seat {seat} opened a secret to which it had not committed.",
        "{seat} 号座公开了未经承诺的种子。",
        "{seat} 號座公開了未經承諾的種子。",
    ),
    "equal_commitments": (
        "Several seats of hand {hand} committed to the same secret.",
        "第 {hand} 盘有几个座位的种子承诺值相同。",
        "第 {hand} 盤有幾個座位的種子承諾值相同。",
    ),
    "seed_does_not_open": (
        "The secret of seat {seat} does not open its commitment {e[commitment]}.",
        "{seat} 号座的种子与其承诺值 {e[commitment]} 不符。",
        "{seat} 號座的種子與其承諾值 {e[commitment]} 不符。",
    ),
    "unusable_seeds": (
        "The seats' secrets of hand {hand} cannot be used to derive the wall.",
        "第 {hand} 盘的玩家种子无法用来推出牌墙。",
        "第 {hand} 盤的玩家種子無法用來推出牌牆。",
    ),
    "does_not_open": (
        "What was revealed after hand {hand} does not open its commitment {e[commitment]}.",
        "第 {hand} 盘后公开的内容与承诺值 {e[commitment]} 不符。",
        "第 {hand} 盤後公開的內容與承諾值 {e[commitment]} 不符。",
    ),
    "unknown_scheme": (
        "The commitment of hand {hand} is of an unknown scheme; known are: {e[schemes]}.",
        "第 {hand} 盘的承诺方式不明，已知的有：{e[schemes]}。",
        "第 {hand} 盤的承諾方式不明，已知的有：{e[schemes]}。",
    ),
    "guessable": (
        "The commitment of hand {hand} could be guessed: it holds {r[bits]} bits of secret where {e[bits]} are needed.",
        "第 {hand} 盘的承诺值可被猜中：秘密只有 {r[bits]} 位，需要 {e[bits]} 位。",
        "第 {hand} 盤的承諾值可被猜中：秘密只有 {r[bits]} 位元，需要 {e[bits]} 位元。",
    ),
    "not_the_seeds_wall": (
        "The revealed wall is not the one the seeds give: at place {e[index]} it has {r[tile]}, the seeds {e[tile]}.",
        "公开的牌墙与种子不符：第 {e[index]} 位为 {r[tile]}，按种子应为 {e[tile]}。",
        "公開的牌牆與種子不符：第 {e[index]} 位為 {r[tile]}，按種子應為 {e[tile]}。",
    ),
    "wrong_wall_root": (
        "The root over the wall's tiles of hand {hand} is not the one that the seeds give.",
        "第 {hand} 盘牌墙的根与种子不符。",
        "第 {hand} 盤牌牆的根與種子不符。",
    ),
    "not_the_seeds_dice": (
        "The dice show {r[dice]}, but the seeds give {e[dice]}.",
        "骰子为 {r[dice]}，按种子应为 {e[dice]}。",
        "骰子為 {r[dice]}，按種子應為 {e[dice]}。",
    ),
    "dealt_before_opening": (
        "Tiles were dealt before seat {r[not_opened]} had opened its secret.",
        "{r[not_opened]} 号座尚未公开种子即已发牌。",
        "{r[not_opened]} 號座尚未公開種子即已發牌。",
    ),
}
