"""What each finding says, one sentence a language, by its code.

``{seat}``, ``{hand}`` and ``{seq}`` are the event's; ``{e[…]}`` is a member of ``expected``, ``{r[…]}`` of
``recorded``, ``{expected}`` and ``{recorded}`` all of them. A code that several clauses share with different meanings
has a row ``clause/code`` for each.
"""

from __future__ import annotations

from schema.words import Rows
from schema.words.log_findings import FAIRNESS, LOG

#: Deal, flowers, gold, wall.
TILES: Rows = {
    "wrong_deal": (
        "Seat {r[seat]} was dealt {r[count]} tiles; due were {e[count]} tiles for seat {e[seat]}.",
        "{r[seat]} 号座发得 {r[count]} 张，应为 {e[seat]} 号座发 {e[count]} 张。",
        "{r[seat]} 號座發得 {r[count]} 張，應為 {e[seat]} 號座發 {e[count]} 張。",
    ),
    "wrong_deal_order": (
        "Seat {seat} was dealt the wall's tiles in another order than four at a time in turn.",
        "{seat} 号座所发的牌与轮流每次四张的次序不符。",
        "{seat} 號座所發的牌與輪流每次四張的次序不符。",
    ),
    "not_the_walls_tiles": (
        "Seat {seat} was dealt {r[tiles]}, but the wall gives {e[tiles]}.",
        "{seat} 号座发得 {r[tiles]}，按牌墙应为 {e[tiles]}。",
        "{seat} 號座發得 {r[tiles]}，按牌牆應為 {e[tiles]}。",
    ),
    "not_the_walls_tile": (
        "The tile taken was {r[tile]}, but the wall gives {e[tile]}.",
        "取得的牌为 {r[tile]}，按牌墙应为 {e[tile]}。",
        "取得的牌為 {r[tile]}，按牌牆應為 {e[tile]}。",
    ),
    "from_the_wrong_end": (
        "The tile {r[tile]} was taken from the wrong end of the wall; from the {e[from]} it is {e[tile]}.",
        "{r[tile]} 取自牌墙错误的一端，从{e[from]}取应为 {e[tile]}。",
        "{r[tile]} 取自牌牆錯誤的一端，從{e[from]}取應為 {e[tile]}。",
    ),
    "wrong_end": (
        "Seat {seat} drew from the {r[from]} of the wall; this draw is from the {e[from]}.",
        "{seat} 号座从{r[from]}摸牌，应从{e[from]}摸牌。",
        "{seat} 號座從{r[from]}摸牌，應從{e[from]}摸牌。",
    ),
    "not_the_whole_wall": (
        "The revealed wall is not made of the {e[tiles]} tiles of the rule set.",
        "公开的牌墙不是本规则的全副 {e[tiles]} 张牌。",
        "公開的牌牆不是本規則的全副 {e[tiles]} 張牌。",
    ),
    "too_many_copies": (
        "The tile {e[tile]} turned up once too often: there are only {e[copies]}.",
        "{e[tile]} 出现过多，只应有 {e[copies]} 张。",
        "{e[tile]} 出現過多，只應有 {e[copies]} 張。",
    ),
    "drawn_past_the_end": (
        "A tile was taken with {e[left]} left in the wall, where none may be drawn any more.",
        "牌墙只剩 {e[left]} 张，已不可再取牌，仍取了牌。",
        "牌牆只剩 {e[left]} 張，已不可再取牌，仍取了牌。",
    ),
    "ended_too_early": (
        "The hand was ended with {e[left]} tiles in the wall; play goes on until {e[until]} are left.",
        "牌墙尚有 {e[left]} 张即告流局，应打到剩 {e[until]} 张。",
        "牌牆尚有 {e[left]} 張即告流局，應打到剩 {e[until]} 張。",
    ),
    "wrong_flower_round": (
        "Seat {seat} replaced flowers out of the order of rounds; due was: {expected}.",
        "{seat} 号座补花不合轮次，应为：{expected}。",
        "{seat} 號座補花不合輪次，應為：{expected}。",
    ),
    "flower_kept": (
        "Seat {e[seat]} still holds {e[flowers]}, which is to be laid out and replaced first.",
        "{e[seat]} 号座仍持有 {e[flowers]}，应先补花。",
        "{e[seat]} 號座仍持有 {e[flowers]}，應先補花。",
    ),
    "wrong_flowers": (
        "Seat {seat} laid out {r[flowers]}, but holds {e[flowers]}.",
        "{seat} 号座亮出 {r[flowers]}，实际持有 {e[flowers]}。",
        "{seat} 號座亮出 {r[flowers]}，實際持有 {e[flowers]}。",
    ),
    "flower_not_replaced": (
        "Seat {seat} laid out a flower and drew no replacement, though one may still be drawn.",
        "{seat} 号座亮出花牌而未补牌，此时仍可补牌。",
        "{seat} 號座亮出花牌而未補牌，此時仍可補牌。",
    ),
    "flower_discarded": (
        "Seat {seat} discarded the flower {r[tile]}, which is to be laid out and replaced.",
        "{seat} 号座打出花牌 {r[tile]}，应亮出补花。",
        "{seat} 號座打出花牌 {r[tile]}，應亮出補花。",
    ),
    "playing_tile_rejected": (
        "A playing tile was rejected at the flip; the gold is {e[gold]}.",
        "开金时放弃了可用的牌，金应为 {e[gold]}。",
        "開金時放棄了可用的牌，金應為 {e[gold]}。",
    ),
    "wrong_gold": (
        "The gold was recorded as {r[gold]}, but the tile flipped is {e[gold]}.",
        "金记为 {r[gold]}，翻出的牌是 {e[gold]}。",
        "金記為 {r[gold]}，翻出的牌是 {e[gold]}。",
    ),
    "nothing_flipped": (
        "The gold was recorded without a tile that was flipped.",
        "开金记录中没有翻出的牌。",
        "開金記錄中沒有翻出的牌。",
    ),
    "same_gold_again": (
        "The second gold was recorded as {r[gold]}, which is the first one already; the flip goes on.",
        "第二金记为 {r[gold]}，与第一金相同，应继续翻。",
        "第二金記為 {r[gold]}，與第一金相同，應繼續翻。",
    ),
    "throws_do_not_answer": (
        "There are {r[throws]} throws of the gold dice on record where {e[throws]} were due.",
        "开金掷骰记录 {r[throws]} 次，应为 {e[throws]} 次。",
        "開金擲骰記錄 {r[throws]} 次，應為 {e[throws]} 次。",
    ),
    "wrong_flip": (
        "The tile flipped was {r[tile]}, but the dice and the wall give {e[tile]}.",
        "翻出的牌为 {r[tile]}，按骰子与牌墙应为 {e[tile]}。",
        "翻出的牌為 {r[tile]}，按骰子與牌牆應為 {e[tile]}。",
    ),
}

#: Turns, claims, discards, offers.
PLAY: Rows = {
    "out_of_turn": (
        "Seat {seat} acted out of turn; seat {e[seat]} was due to {e[act]}.",
        "{seat} 号座未轮到即行动，应由 {e[seat]} 号座{e[act]}。",
        "{seat} 號座未輪到即行動，應由 {e[seat]} 號座{e[act]}。",
    ),
    "not_to_draw": (
        "Seat {seat} drew when it was not due to; seat {e[seat]} was due to {e[act]}.",
        "{seat} 号座不该摸牌，应由 {e[seat]} 号座{e[act]}。",
        "{seat} 號座不該摸牌，應由 {e[seat]} 號座{e[act]}。",
    ),
    "not_to_discard": (
        "Seat {seat} discarded when it was not due to; seat {e[seat]} was due to {e[act]}.",
        "{seat} 号座不该打牌，应由 {e[seat]} 号座{e[act]}。",
        "{seat} 號座不該打牌，應由 {e[seat]} 號座{e[act]}。",
    ),
    "tile_not_held": (
        "Seat {seat} discarded {r[tile]}, which it does not hold; it holds {e[hand]}.",
        "{seat} 号座打出手中没有的 {r[tile]}，其手牌为 {e[hand]}。",
        "{seat} 號座打出手中沒有的 {r[tile]}，其手牌為 {e[hand]}。",
    ),
    "tiles_not_held": (
        "Seat {seat} used {r[with]}, which it does not hold; it holds {e[hand]}.",
        "{seat} 号座用了手中没有的 {r[with]}，其手牌为 {e[hand]}。",
        "{seat} 號座用了手中沒有的 {r[with]}，其手牌為 {e[hand]}。",
    ),
    "must_follow_honour": (
        "Seat {seat} discarded {r[tile]} but holds a single {e[tiles]}, which has been discarded before in this hand:"
        " it must follow.",
        "{seat} 号座打出 {r[tile]}，手中却有单张 {e[tiles]}，本盘已有人打出过，必须跟打。",
        "{seat} 號座打出 {r[tile]}，手中卻有單張 {e[tiles]}，本盤已有人打出過，必須跟打。",
    ),
    "no_such_claim": (
        "Seat {seat} made a claim that this game does not have.",
        "{seat} 号座的叫牌在本玩法中不存在。",
        "{seat} 號座的叫牌在本玩法中不存在。",
    ),
    "not_the_last_discard": (
        "Seat {seat} claimed {r[tile]}, but what lies open is {e[tile]} of seat {e[from]}.",
        "{seat} 号座叫了 {r[tile]}，而可叫的是 {e[from]} 号座打出的 {e[tile]}。",
        "{seat} 號座叫了 {r[tile]}，而可叫的是 {e[from]} 號座打出的 {e[tile]}。",
    ),
    "gold_claimed": (
        "Seat {seat} claimed the discarded gold {r[tile]}, which nobody may claim.",
        "{seat} 号座叫了打出的金牌 {r[tile]}，任何人不得叫金。",
        "{seat} 號座叫了打出的金牌 {r[tile]}，任何人不得叫金。",
    ),
    "gold_in_a_claim": (
        "Seat {seat} used a gold in a chow, pung or kong.",
        "{seat} 号座用金牌吃、碰或杠。",
        "{seat} 號座用金牌吃、碰或槓。",
    ),
    "chow_by_wrong_seat": (
        "Seat {seat} chowed, but only the next seat, {e[seat]}, may.",
        "{seat} 号座吃牌，只有下家 {e[seat]} 号座可吃。",
        "{seat} 號座吃牌，只有下家 {e[seat]} 號座可吃。",
    ),
    "not_a_run": (
        "Seat {seat} chowed {r[tile]} with {r[with]}, which is no run.",
        "{seat} 号座以 {r[with]} 吃 {r[tile]}，不成顺子。",
        "{seat} 號座以 {r[with]} 吃 {r[tile]}，不成順子。",
    ),
    "not_one_kind": (
        "Seat {seat} made a set of {r[tile]} with {r[with]}, which are not the tiles it takes.",
        "{seat} 号座以 {r[with]} 碰或杠 {r[tile]}，张数或牌面不符。",
        "{seat} 號座以 {r[with]} 碰或槓 {r[tile]}，張數或牌面不符。",
    ),
    "kong_after_claim": (
        "Seat {seat} declared a kong right after a chow or pung, where only a discard may follow.",
        "{seat} 号座吃碰之后随即开杠，此时只能打牌。",
        "{seat} 號座吃碰之後隨即開槓，此時只能打牌。",
    ),
    "overridden_by_less": (
        "Seat {seat}'s claim was overridden by seat {r[by]}, which had no better right.",
        "{seat} 号座的叫牌被 {r[by]} 号座压过，而后者并无更优先的权利。",
        "{seat} 號座的叫牌被 {r[by]} 號座壓過，而後者並無更優先的權利。",
    ),
    "win_after_claim": (
        "Seat {seat} declared a win right after a chow or pung, where only a discard may follow.",
        "{seat} 号座吃碰之后随即宣告和牌，此时只能打牌。",
        "{seat} 號座吃碰之後隨即宣告和牌，此時只能打牌。",
    ),
    "tiles_in_doubt": (
        "The record contradicts the tiles of this seat, so nothing is known to be legal for it.",
        "记录与该座的牌矛盾，无法确认此行为合法。",
        "記錄與該座的牌矛盾，無法確認此行為合法。",
    ),
    "no_pung_to_add_to": (
        "Seat {seat} added {r[tile]} to a pung that it does not have; its pungs are: {e[pungs]}.",
        "{seat} 号座以 {r[tile]} 补杠，但并无此碰，已碰的是：{e[pungs]}。",
        "{seat} 號座以 {r[tile]} 補槓，但並無此碰，已碰的是：{e[pungs]}。",
    ),
    "kong_without_replacement": (
        "Seat {seat} declared a kong with {e[left]} tiles in the wall, where no replacement may be drawn.",
        "牌墙只剩 {e[left]} 张，无牌可补，{seat} 号座仍开杠。",
        "牌牆只剩 {e[left]} 張，無牌可補，{seat} 號座仍開槓。",
    ),
    "discarded_white_is_white": (
        "Seat {seat} chowed a discarded white dragon as the gold's face, but it counts as white.",
        "{seat} 号座把打出的白板当本牌吃，打出的白板只作白板。",
        "{seat} 號座把打出的白板當本牌吃，打出的白板只作白板。",
    ),
    "locked_by_you": (
        "Seat {seat} acted while the double or triple you of seat {e[locked_by]} allows only drawing and discarding.",
        "{e[locked_by]} 号座双游或三游期间只能摸打，{seat} 号座不得如此。",
        "{e[locked_by]} 號座雙游或三游期間只能摸打，{seat} 號座不得如此。",
    ),
    "locked_by_gold": (
        "Seat {seat} acted as a gold discarded by seat {e[locked_by]} forbids until that player's next discard.",
        "{e[locked_by]} 号座打金，在其下次打牌之前 {seat} 号座不得如此。",
        "{e[locked_by]} 號座打金，在其下次打牌之前 {seat} 號座不得如此。",
    ),
    "kong_passed_before": (
        "Seat {seat} added a fourth tile to a pung for which it had passed the exposed kong.",
        "{seat} 号座先前可明杠而碰，本盘不得再补杠。",
        "{seat} 號座先前可明槓而碰，本盤不得再補槓。",
    ),
    "leaves_you_state": (
        "Seat {seat} declared you, and must keep the you state: {expected}.",
        "{seat} 号座已报游，出牌须保持游金状态：{expected}。",
        "{seat} 號座已報游，出牌須保持游金狀態：{expected}。",
    ),
    "better_right": (
        "Seat {seat} acted before seat {e[seat]}, which had a better right: {e[acts]}.",
        "{seat} 号座先于 {e[seat]} 号座行动，后者权利在先：{e[acts]}。",
        "{seat} 號座先於 {e[seat]} 號座行動，後者權利在先：{e[acts]}。",
    ),
    "right_not_on_record": (
        "Play went on, and the log shows neither use nor pass of a right of seat {e[seat]}: {e[acts]}.",
        "牌局继续，而 {e[seat]} 号座的权利既未行使也无放弃记录：{e[acts]}。",
        "牌局繼續，而 {e[seat]} 號座的權利既未行使也無放棄記錄：{e[acts]}。",
    ),
    "wrong_pass": (
        "Seat {seat} is recorded as passing on {r[options]}, but what it could do was: {e[acts]}.",
        "记录 {seat} 号座放弃 {r[options]}，其实可选的是：{e[acts]}。",
        "記錄 {seat} 號座放棄 {r[options]}，其實可選的是：{e[acts]}。",
    ),
    "wrong_prompt": (
        "Seat {seat} was offered {r[options]}, but what it could do was: {e[acts]}.",
        "系统提示 {seat} 号座可选 {r[options]}，其实可选的是：{e[acts]}。",
        "系統提示 {seat} 號座可選 {r[options]}，其實可選的是：{e[acts]}。",
    ),
    "nothing_to_pass": (
        "Seat {seat} is recorded as passing when it had no right to pass on.",
        "记录 {seat} 号座放弃，但它并无可放弃的权利。",
        "記錄 {seat} 號座放棄，但它並無可放棄的權利。",
    ),
    "claim_without_right": (
        "Seat {seat} is recorded as claiming {r[claim]}, but its rights were: {e[acts]}.",
        "记录 {seat} 号座要求 {r[claim]}，其权利只有：{e[acts]}。",
        "記錄 {seat} 號座要求 {r[claim]}，其權利只有：{e[acts]}。",
    ),
}

#: Wins, levels, payments.
WINS: Rows = {
    "nothing_to_win_on": (
        "Seat {seat} declared a win when there was nothing that it could win on.",
        "{seat} 号座此时无牌可胡，却宣告胡牌。",
        "{seat} 號座此時無牌可胡，卻宣告胡牌。",
    ),
    "not_the_winning_tile": (
        "Seat {seat} is recorded as winning on {r[tile]}, but the tile at hand is {e[tile]}.",
        "记录 {seat} 号座胡 {r[tile]}，当前的牌是 {e[tile]}。",
        "記錄 {seat} 號座胡 {r[tile]}，當前的牌是 {e[tile]}。",
    ),
    "not_complete": (
        "Seat {seat} declared a win, but its hand is not complete.",
        "{seat} 号座宣告胡牌，但牌未成胡。",
        "{seat} 號座宣告胡牌，但牌未成胡。",
    ),
    "win_on_gold": (
        "Seat {seat} won on the gold {r[tile]}, which nobody may win on.",
        "{seat} 号座胡了金牌 {r[tile]}，任何人不得胡别家的金。",
        "{seat} 號座胡了金牌 {r[tile]}，任何人不得胡別家的金。",
    ),
    "discarded_gold": (
        "Seat {seat} won on a discard, but has discarded a gold and may win only by self-draw or by robbing a kong"
        " until its next discard.",
        "{seat} 号座打金后、再次打牌前只能自摸或抢杠，却胡了别人打出的牌。",
        "{seat} 號座打金後、再次打牌前只能自摸或搶槓，卻胡了別人打出的牌。",
    ),
    "gold_blocks_discard_win": (
        "Seat {seat} won on a discard with gold in hand ({e[golds]}), which blocks such a win.",
        "{seat} 号座手中有 {e[golds]} 张金，不能胡别人打出的牌。",
        "{seat} 號座手中有 {e[golds]} 張金，不能胡別人打出的牌。",
    ),
    "no_robbing": (
        "Seat {seat} won by robbing a kong, which this table's rules do not have.",
        "{seat} 号座抢杠胡，但本桌规则没有抢杠。",
        "{seat} 號座搶槓胡，但本桌規則沒有搶槓。",
    ),
    "no_discard_win": (
        "Seat {seat} won on a discard, on which nobody may win in this game.",
        "{seat} 号座胡了打出的牌，本玩法不得点炮胡。",
        "{seat} 號座胡了打出的牌，本玩法不得點炮胡。",
    ),
    "no_heavenly_win_after_kong": (
        "Seat {seat} won as complete at the opening, but it had konged before.",
        "{seat} 号座宣告天胡，但此前已杠牌。",
        "{seat} 號座宣告天胡，但此前已槓牌。",
    ),
    "no_rob_gold": (
        "Seat {seat} robbed the gold without the right to it.",
        "{seat} 号座抢金，但不合抢金的条件。",
        "{seat} 號座搶金，但不合搶金的條件。",
    ),
    "no_covered_rob_gold": (
        "Seat {seat} robbed the gold covered without the right to it.",
        "{seat} 号座盖宝抢金，但不合其条件。",
        "{seat} 號座蓋寶搶金，但不合其條件。",
    ),
    "right_passed_before": (
        "Seat {seat} won by a right of the opening that it had passed.",
        "{seat} 号座以已放弃的开局权利胡牌。",
        "{seat} 號座以已放棄的開局權利胡牌。",
    ),
    "wrong_tile_out": (
        "Seat {seat} won at the opening ({e[win]}), but the tile recorded as taken away does not leave such a hand.",
        "{seat} 号座开局胡牌（{e[win]}），但所记取出的牌不能成此胡法。",
        "{seat} 號座開局胡牌（{e[win]}），但所記取出的牌不能成此胡法。",
    ),
    "heavenly_win_first": (
        "Seat {seat} won at the opening before the dealer, seat {e[seat]}, whose complete hand goes first.",
        "{seat} 号座抢在庄家 {e[seat]} 号座之前胡牌，庄家天胡优先。",
        "{seat} 號座搶在莊家 {e[seat]} 號座之前胡牌，莊家天胡優先。",
    ),
    "wrong_way_named": (
        "The win of seat {seat} was recorded as {r[win]}; by the rules it counts as {e[win]}, payments {e[deltas]}.",
        "{seat} 号座的胡法记为{r[win]}，按规则应为{e[win]}，收付为 {e[deltas]}。",
        "{seat} 號座的胡法記為{r[win]}，按規則應為{e[win]}，收付為 {e[deltas]}。",
    ),
    "not_in_you_state": (
        "Seat {seat} declared you, but its hand is not in the you state.",
        "{seat} 号座报游，但手牌不在游金状态。",
        "{seat} 號座報游，但手牌不在游金狀態。",
    ),
    "not_ready": (
        "Seat {seat} declared that it was ready at the opening, but it is not.",
        "{seat} 号座报天听，但不合天听的条件。",
        "{seat} 號座報天聽，但不合天聽的條件。",
    ),
    "wrong_level": (
        "Seat {seat} was recorded at a you level that its discards did not make.",
        "{seat} 号座记录的游级与其出牌不符。",
        "{seat} 號座記錄的游級與其出牌不符。",
    ),
    "wrong_item": (
        "The settlement gives seat {seat} {r[value]} for “{title}”; by the rules it is {e[value]}.",
        "结算中 {seat} 号座的“{title}”记为 {r[value]}，按规则应为 {e[value]}。",
        "結算中 {seat} 號座的「{title}」記為 {r[value]}，按規則應為 {e[value]}。",
    ),
    "wrong_water": (
        "The payments {r[deltas]} do not fit the water of the winning hand, which is {e[water]}: due are {e[deltas]}.",
        "收付 {r[deltas]} 与胡家的水数不符，水数为 {e[water]}，应为 {e[deltas]}。",
        "收付 {r[deltas]} 與胡家的水數不符，水數為 {e[water]}，應為 {e[deltas]}。",
    ),
    "wrong_payment": (
        "The payments recorded are {r[deltas]}; by the rules they are {e[deltas]} ({e[win]}).",
        "记录的收付为 {r[deltas]}，按规则（{e[win]}）应为 {e[deltas]}。",
        "記錄的收付為 {r[deltas]}，按規則（{e[win]}）應為 {e[deltas]}。",
    ),
    "does_not_balance": (
        "The payments {r[deltas]} do not add up to zero.",
        "收付 {r[deltas]} 相加不为零。",
        "收付 {r[deltas]} 相加不為零。",
    ),
    "paid_for_a_voided_hand": (
        "Hand {hand} was voided and settles to zero, but the payments {r[deltas]} were made.",
        "第 {hand} 盘已作废，收付应为零，却有收付 {r[deltas]}。",
        "第 {hand} 盤已作廢，收付應為零，卻有收付 {r[deltas]}。",
    ),
    "paid_without_winner": (
        "Payments {r[deltas]} were made in a hand without a winner; due are {e[deltas]}.",
        "无人胡牌而有收付 {r[deltas]}，应为 {e[deltas]}。",
        "無人胡牌而有收付 {r[deltas]}，應為 {e[deltas]}。",
    ),
}

#: Every message by its code, or by ``clause/code``.
MESSAGES: Rows = {**LOG, **TILES, **PLAY, **WINS, **FAIRNESS}

#: For a code that has no words of its own: what is certain of any finding.
ANY_FINDING = (
    "Not as “{title}” asks: expected {expected}, recorded {recorded}.",
    "不合“{title}”：应为 {expected}，记录为 {recorded}。",
    "不合「{title}」：應為 {expected}，記錄為 {recorded}。",
)
