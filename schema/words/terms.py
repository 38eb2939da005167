"""Names of what findings, reports and tables speak of, by the codes that logs use."""

from __future__ import annotations

from schema.words import Rows

#: Ways of winning; levels and declarations go by the same names.
WAYS: Rows = {
    "discard": ("win on a discard", "平胡", "平胡"),
    "self_draw": ("self-draw", "自摸", "自摸"),
    "rob_kong": ("robbing a kong", "抢杠胡", "搶槓胡"),
    "you": ("you", "游金", "游金"),
    "double_you": ("double you", "双游", "雙游"),
    "triple_you": ("triple you", "三游", "三游"),
    "three_golds": ("three golds", "三金倒", "三金倒"),
    "four_golds": ("four golds", "四金倒", "四金倒"),
    "five_golds": ("five golds", "五金倒", "五金倒"),
    "six_golds": ("six golds", "六金倒", "六金倒"),
    "heavenly_ready": ("ready at the opening", "天听", "天聽"),
    "heavenly_win": ("complete at the opening", "天胡", "天胡"),
    "rob_gold": ("robbing the gold", "抢金", "搶金"),
    "covered_rob_gold": ("covered robbing of the gold", "盖宝抢金", "蓋寶搶金"),
    "thirteen_orphans": ("thirteen orphans", "十三幺", "十三么"),
    "voided": ("voided", "作废", "作廢"),
}

#: What a winning hand is besides, by the codes of ``score``.
SHAPES: Rows = {
    "all_triplets": ("all triplets", "碰碰胡", "碰碰胡"),
    "pure_suit": ("one suit only", "清一色", "清一色"),
    "seven_pairs": ("seven pairs", "七对", "七對"),
}

ACTS: Rows = {
    "discard": ("discard", "打", "打"),
    "draw": ("draw", "摸牌", "摸牌"),
    "decide": ("play", "出牌", "出牌"),
    "chow": ("chow", "吃", "吃"),
    "pung": ("pung", "碰", "碰"),
    "kong": ("kong", "杠", "槓"),
    "win": ("win", "胡", "胡"),
    "pass": ("pass", "过", "過"),
    "declare": ("declare", "报", "報"),
}

KONGS: Rows = {
    "exposed": ("exposed", "明杠", "明槓"),
    "added": ("added", "补杠", "補槓"),
    "concealed": ("concealed", "暗杠", "暗槓"),
}

EVENTS: Rows = {
    "game_started": ("start of the game", "牌局开始", "牌局開始"),
    "hand_started": ("start of a hand", "一盘开始", "一盤開始"),
    "seeds_opened": ("opening of the seeds", "公开种子", "公開種子"),
    "dice_rolled": ("throw of the dice", "掷骰", "擲骰"),
    "dealt": ("deal", "发牌", "發牌"),
    "flowers_replaced": ("replacement of flowers", "补花", "補花"),
    "gold_flipped": ("flip of the gold", "开金", "開金"),
    "turn_prompted": ("offer", "提示", "提示"),
    "drew": ("draw", "摸牌", "摸牌"),
    "discarded": ("discard", "打牌", "打牌"),
    "chowed": ("chow", "吃牌", "吃牌"),
    "punged": ("pung", "碰牌", "碰牌"),
    "konged": ("kong", "杠牌", "槓牌"),
    "passed": ("pass", "放弃", "放棄"),
    "claim_overridden": ("lost claim", "叫牌被抢先", "叫牌被搶先"),
    "declared": ("declaration", "报牌", "報牌"),
    "won": ("win", "胡牌", "胡牌"),
    "exhausted": ("end without a winner", "流局", "流局"),
    "settled": ("settlement", "结算", "結算"),
    "wall_revealed": ("reveal of the wall", "公开牌墙", "公開牌牆"),
    "hand_ended": ("end of the hand", "一盘结束", "一盤結束"),
    "presence_changed": ("coming or going of a player", "玩家进出", "玩家進出"),
    "voided": ("voiding of the hand", "一盘作废", "一盤作廢"),
    "game_ended": ("end of the game", "牌局结束", "牌局結束"),
}

ENDS: Rows = {
    "head": ("head", "牌头", "牌頭"),
    "tail": ("tail", "牌尾", "牌尾"),
}

VERDICTS: Rows = {
    "clean": ("clean", "无问题", "無問題"),
    "violations": ("violations", "有违规", "有違規"),
    "incomplete": ("incomplete", "未完整", "未完整"),
    "unreadable": ("unreadable", "无法读取", "無法讀取"),
}

SEVERITIES: Rows = {
    "violation": ("violation", "违规", "違規"),
    "warning": ("warning", "提醒", "提醒"),
}

UNPROVEN: Rows = {
    "passes": (
        "passes (not on record: rights that were not used are derived)",
        "放弃（无记录，未行使的权利由规则推出）",
        "放棄（無記錄，未行使的權利由規則推出）",
    ),
    "walls": ("the wall of some hand (never revealed)", "部分盘的牌墙（未公开）", "部分盤的牌牆（未公開）"),
    "shuffle": (
        "the shuffle of some hand (no commitment that can be opened)",
        "部分盘的洗牌（没有可核对的承诺值）",
        "部分盤的洗牌（沒有可核對的承諾值）",
    ),
    "hands": (
        "a winner's tiles (contradicted by the record)",
        "某位胡家的手牌（与记录矛盾）",
        "某位胡家的手牌（與記錄矛盾）",
    ),
}

#: What a fairness level says of the shuffle.
FAIRNESS: Rows = {
    "0": ("no commitment to the wall", "牌墙没有承诺值", "牌牆沒有承諾值"),
    "1": ("committed by the server alone", "仅由服务器承诺", "僅由伺服器承諾"),
    "2": (
        "with players' secrets, opened on record after the commitment",
        "含玩家种子，且在承诺之后公开并有记录",
        "含玩家種子，且在承諾之後公開並有記錄",
    ),
    "3": (
        "with players' secrets, and a witness cosigned the commitment before",
        "含玩家种子，且承诺事先经外部见证人会签",
        "含玩家種子，且承諾事先經外部見證人會簽",
    ),
}

PHASES: Rows = {
    "between": ("between hands", "两盘之间", "兩盤之間"),
    "dealing": ("the deal", "发牌", "發牌"),
    "flowers": ("opening flowers and the flip", "开局补花与开金", "開局補花與開金"),
    "turn": ("on turn", "轮到出牌", "輪到出牌"),
    "claims": ("a discard lies open", "有牌可叫", "有牌可叫"),
    "kong": ("a kong awaits its replacement", "杠后待补牌", "槓後待補牌"),
    "flower": ("a flower to be replaced", "待补花", "待補花"),
    "dry": ("the wall has ended", "牌墙已尽", "牌牆已盡"),
    "over": ("the hand is over", "本盘已结束", "本盤已結束"),
    "settled": ("settled", "已结算", "已結算"),
    "finished": ("the game has ended", "牌局已结束", "牌局已結束"),
}

#: Members of what was expected or recorded, where a sentence lists them.
MEMBERS: Rows = {
    "act": ("act", "动作", "動作"),
    "acts": ("acts", "可选", "可選"),
    "claim": ("claim", "要求", "要求"),
    "count": ("tiles", "张数", "張數"),
    "dealer": ("dealer", "庄家", "莊家"),
    "declaration": ("declaration", "所报", "所報"),
    "deltas": ("payments", "收付", "收付"),
    "dice": ("dice", "骰子", "骰子"),
    "drawn": ("drawn", "补得", "補得"),
    "flowers": ("flowers", "花", "花"),
    "from": ("from", "来自", "來自"),
    "gold": ("gold", "金", "金"),
    "hand": ("hand", "盘", "盤"),
    "kind": ("kind", "种类", "種類"),
    "left": ("left in the wall", "牌墙余", "牌牆餘"),
    "level": ("level", "级别", "級別"),
    "options": ("options", "可选", "可選"),
    "scores": ("scores", "分数", "分數"),
    "seat": ("seat", "座位", "座位"),
    "streak": ("streak", "连庄数", "連莊數"),
    "tile": ("tile", "牌", "牌"),
    "tiles": ("tiles", "牌", "牌"),
    "types": ("next", "其后", "其後"),
    "value": ("value", "数值", "數值"),
    "win": ("win", "胡法", "胡法"),
    "with": ("with", "用牌", "用牌"),
}

#: Headings and small phrases of reports and tables for people.
LABELS: Rows = {
    "game": ("Game", "牌局", "牌局"),
    "seat": ("Seat", "座位", "座位"),
    "hand": ("Hand", "盘", "盤"),
    "dealer": ("Dealer", "庄", "莊"),
    "streak": ("Streak", "连庄", "連莊"),
    "winner": ("Winner", "胡家", "胡家"),
    "way": ("Way", "胡法", "胡法"),
    "factor": ("Factor", "倍数", "倍數"),
    "water": ("Water", "水", "水"),
    "payments": ("Payments", "收付", "收付"),
    "items": ("Items", "明细", "明細"),
    "total": ("Scores", "总分", "總分"),
    "no_winner": ("no winner", "无人胡牌", "無人胡牌"),
    "fairness": ("Fairness", "公平性", "公平性"),
    "proven": (
        "walls of {proven} of {hands} hands re-derived",
        "{hands} 盘中有 {proven} 盘的牌墙已重新推出",
        "{hands} 盤中有 {proven} 盤的牌牆已重新推出",
    ),
    "unproven": ("Unproven", "未能证明", "未能證明"),
    "events": ("{count} events", "{count} 个事件", "{count} 個事件"),
    "gold": ("Gold", "金", "金"),
    "wall": ("Wall", "牌墙", "牌牆"),
    "tiles": ("{count} tiles", "{count} 张", "{count} 張"),
    "melds": ("Melds", "副露", "副露"),
    "flowers": ("Flowers", "花", "花"),
    "discards": ("Discards", "弃牌", "棄牌"),
    "concealed": ("Holds", "手牌", "手牌"),
    "drawn": ("drew {tile}", "摸到 {tile}", "摸到 {tile}"),
    "acts": ("Acts", "可选", "可選"),
    "step": ("step {seq}", "第 {seq} 步", "第 {seq} 步"),
    "wins": ("wins", "胡", "胡"),
    "no_win": ("no win", "不胡", "不胡"),
    "readings": ("{count} readings", "共 {count} 种排法", "共 {count} 種排法"),
    "colon": (": ", "：", "："),
    "comma": (", ", "，", "，"),
    "semicolon": ("; ", "；", "；"),
    "in_doubt": ("contradicted by the record", "与记录矛盾", "與記錄矛盾"),
}

UNKNOWN = ("unknown", "不明", "不明")
NONE = ("none", "无", "無")
YES = ("yes", "是", "是")
NO = ("no", "否", "否")
SEPARATOR = (", ", "、", "、")
