"""What the verification of an evidence bundle says: its steps, their outcomes, and the headings of its page.

``{…}`` are details of a step; a row ``step/code`` is one step's own, a row ``code`` any step's.
"""

from __future__ import annotations

from schema.words import Rows

STEPS: Rows = {
    "format": ("form", "格式", "格式"),
    "events": ("events", "事件", "事件"),
    "ruleset": ("rule set", "规则", "規則"),
    "chain": ("chain and root", "链首与根", "鏈首與根"),
    "seal": ("seal", "封存", "封存"),
    "inclusion": ("inclusion in the log", "收录证明", "收錄證明"),
    "checkpoint": ("checkpoint", "检查点", "檢查點"),
    "shuffle": ("shuffle and wall", "洗牌与牌墙", "洗牌與牌牆"),
    "rules": ("rules", "规则稽核", "規則稽核"),
    "report": ("report", "报告", "報告"),
}

STATUSES: Rows = {
    "ok": ("holds", "成立", "成立"),
    "failed": ("FAILED", "不成立", "不成立"),
    "unproven": ("unproven", "未能证明", "未能證明"),
    "skipped": ("not taken", "未进行", "未進行"),
}

OUTCOMES: Rows = {
    "needs": (
        "This step needs what the step “{step}” could not give.",
        "此步需要“{step}”一步的结果，而该步未能给出。",
        "此步需要「{step}」一步的結果，而該步未能給出。",
    ),
    "broke": (
        "This step broke down on what the bundle holds: {reason}.",
        "此步因证据包的内容而中断：{reason}。",
        "此步因證據包的內容而中斷：{reason}。",
    ),
    "no_seal": (
        "The game is live: nothing seals it yet.",
        "牌局尚在进行，还没有封存。",
        "牌局尚在進行，還沒有封存。",
    ),
    "format/ok": (
        "One JSON object with exactly the members of a bundle, each of its kind.",
        "是一个 JSON 对象，成员齐全且合乎格式。",
        "是一個 JSON 物件，成員齊全且合乎格式。",
    ),
    "format/too_large": (
        "The file has {bytes} bytes; at most {limit} are read.",
        "文件有 {bytes} 字节，最多读取 {limit} 字节。",
        "檔案有 {bytes} 位元組，最多讀取 {limit} 位元組。",
    ),
    "format/not_json": (
        "The file cannot be read as JSON: expected {expected}, found {found}.",
        "文件无法作为 JSON 读取：应为 {expected}，实为 {found}。",
        "檔案無法作為 JSON 讀取：應為 {expected}，實為 {found}。",
    ),
    "format/not_a_bundle": (
        "This is no evidence bundle of the format {expected}.",
        "这不是 {expected} 格式的证据包。",
        "這不是 {expected} 格式的證據包。",
    ),
    "format/wrong_form": (
        "{member}: expected {expected}, found {found}.",
        "{member}：应为 {expected}，实为 {found}。",
        "{member}：應為 {expected}，實為 {found}。",
    ),
    "events/ok": (
        "{events} events in order, {full} of them in full; every leaf is re-derived.",
        "{events} 个事件次序无误，其中 {full} 个完整公开，各叶均已重新算出。",
        "{events} 個事件次序無誤，其中 {full} 個完整公開，各葉均已重新算出。",
    ),
    "events/wrong_event": (
        "Event {seq}, {member}: expected {expected}, found {found}.",
        "事件 {seq}，{member}：应为 {expected}，实为 {found}。",
        "事件 {seq}，{member}：應為 {expected}，實為 {found}。",
    ),
    "ruleset/ok": (
        "Rule set {ruleset} with all its options is the one that the game's first event names.",
        "规则 {ruleset} 及其全部选项与牌局首个事件所载一致。",
        "規則 {ruleset} 及其全部選項與牌局首個事件所載一致。",
    ),
    "ruleset/unknown_ruleset": (
        "The rule set is not known: {reason}.",
        "规则不明：{reason}。",
        "規則不明：{reason}。",
    ),
    "ruleset/not_resolved": (
        "The record does not name every option of its rule set; it leaves out: {options}.",
        "规则记录未列出全部选项，缺少：{options}。",
        "規則記錄未列出全部選項，缺少：{options}。",
    ),
    "ruleset/other_ruleset": (
        "The game's first event names another rule set, or other options, than the record (digest {digest}).",
        "牌局首个事件所载的规则或选项与规则记录（摘要 {digest}）不同。",
        "牌局首個事件所載的規則或選項與規則記錄（摘要 {digest}）不同。",
    ),
    "chain/ok": (
        "Head and root over the leaves of {events} events are those of the seal.",
        "{events} 个事件的链首与根均与封存相符。",
        "{events} 個事件的鏈首與根均與封存相符。",
    ),
    "chain/no_seal": (
        "The game is live: there is no seal yet to hold its {events} events against.",
        "牌局尚在进行，{events} 个事件还没有封存可供核对。",
        "牌局尚在進行，{events} 個事件還沒有封存可供核對。",
    ),
    "chain/other_head": (
        "The chain of the events ends in head {found}; the seal has {expected}.",
        "由事件算出的链首为 {found}，封存所载为 {expected}。",
        "由事件算出的鏈首為 {found}，封存所載為 {expected}。",
    ),
    "chain/other_root": (
        "The root over the events is {found}; the seal has {expected}.",
        "由事件算出的根为 {found}，封存所载为 {expected}。",
        "由事件算出的根為 {found}，封存所載為 {expected}。",
    ),
    "seal/ok": (
        "The seal is in its canonical form, and every member of it follows from the events.",
        "封存为规范形式，各成员均可由事件得出。",
        "封存為規範形式，各成員均可由事件得出。",
    ),
    "seal/unreadable_seal": (
        "The seal cannot be read: {reason}.",
        "封存无法读取：{reason}。",
        "封存無法讀取：{reason}。",
    ),
    "seal/not_canonical": (
        "The seal does not have exactly its members in canonical form: {found}.",
        "封存的成员或形式不合规范：{found}。",
        "封存的成員或形式不合規範：{found}。",
    ),
    "seal/wrong_member": (
        "The seal's {member} is {found}; from the events it is {expected}.",
        "封存的 {member} 为 {found}，按事件应为 {expected}。",
        "封存的 {member} 為 {found}，按事件應為 {expected}。",
    ),
    "inclusion/ok": (
        "The seal is leaf {index} of the log of {size} seals under the checkpoint's root.",
        "封存是检查点之根下 {size} 个封存中的第 {index} 叶。",
        "封存是檢查點之根下 {size} 個封存中的第 {index} 葉。",
    ),
    "inclusion/proof_size": (
        "The proof is of no tree: {reason}.",
        "证明所指的树不存在：{reason}。",
        "證明所指的樹不存在：{reason}。",
    ),
    "inclusion/proof_index": (
        "The proof's place is outside the log: {reason}.",
        "证明所指的位置不在日志之内：{reason}。",
        "證明所指的位置不在日誌之內：{reason}。",
    ),
    "inclusion/proof_length": (
        "The proof's path has another length than index and size ask for: {reason}.",
        "证明路径的长度与位置及大小不符：{reason}。",
        "證明路徑的長度與位置及大小不符：{reason}。",
    ),
    "inclusion/proof_node": (
        "A node of the proof is no hash: {reason}.",
        "证明中有一节点不是杂凑值：{reason}。",
        "證明中有一節點不是雜湊值：{reason}。",
    ),
    "inclusion/proof_root": (
        "The proof does not lead to the checkpoint's root: {reason}.",
        "证明未能导出检查点之根：{reason}。",
        "證明未能導出檢查點之根：{reason}。",
    ),
    "checkpoint/ok": (
        "The checkpoint of {origin} over {size} seals is signed by a key that was given.",
        "{origin} 对 {size} 个封存的检查点由所给公钥签署。",
        "{origin} 對 {size} 個封存的檢查點由所給公鑰簽署。",
    ),
    "checkpoint/bad_checkpoint": (
        "The checkpoint cannot be read: {reason}.",
        "检查点无法读取：{reason}。",
        "檢查點無法讀取：{reason}。",
    ),
    "checkpoint/other_size": (
        "The checkpoint is over {found} seals; the proof is for {expected}.",
        "检查点涵盖 {found} 个封存，证明所用的是 {expected} 个。",
        "檢查點涵蓋 {found} 個封存，證明所用的是 {expected} 個。",
    ),
    "checkpoint/no_key": (
        "No key was given, so that anybody may have signed the checkpoint of {origin}.",
        "没有提供公钥，{origin} 的检查点可能由任何人签署。",
        "沒有提供公鑰，{origin} 的檢查點可能由任何人簽署。",
    ),
    "checkpoint/not_signed": (
        "The checkpoint of {origin} is not signed by a key that was given: {reason}.",
        "{origin} 的检查点并非由所给公钥签署：{reason}。",
        "{origin} 的檢查點並非由所給公鑰簽署：{reason}。",
    ),
    "shuffle/ok": (
        "Every hand ({hands}) follows from its seeds and its revealed wall, as far as its tiles are shown.",
        "全部 {hands} 盘均与种子及公开的牌墙相符。",
        "全部 {hands} 盤均與種子及公開的牌牆相符。",
    ),
    "shuffle/findings": (
        "What is shown contradicts the seeds or the wall, at event and clause: {places}.",
        "所示内容与种子或牌墙矛盾，事件与条款为：{places}。",
        "所示內容與種子或牌牆矛盾，事件與條款為：{places}。",
    ),
    "shuffle/lacking": (
        "Hands proven: {proven}; without a revealed wall: {no_wall}; without a commitment: {no_commitment}; "
        "with hidden tiles: {hidden_tiles}.",
        "已证明的盘：{proven}，未公开牌墙的盘：{no_wall}，没有承诺值的盘：{no_commitment}，有隐藏牌的盘：{hidden_tiles}。",
        "已證明的盤：{proven}，未公開牌牆的盤：{no_wall}，沒有承諾值的盤：{no_commitment}，有隱藏牌的盤：{hidden_tiles}。",
    ),
    "cannot_be_applied": (
        "An event cannot be applied: {reason}.",
        "有事件无法执行：{reason}。",
        "有事件無法執行：{reason}。",
    ),
    "rules/cannot_be_applied": (
        "Event {seq} cannot be applied: {reason}.",
        "事件 {seq} 无法执行：{reason}。",
        "事件 {seq} 無法執行：{reason}。",
    ),
    "rules/ok": (
        "All {events} events are replayed and judged: findings {findings}.",
        "{events} 个事件已全部重演并评判，稽核发现 {findings} 项。",
        "{events} 個事件已全部重演並評判，稽核發現 {findings} 項。",
    ),
    "rules/hidden_tiles": (
        "Tiles are hidden in these hands: {hands}. Judged are the {events} events before the first of them: "
        "findings {findings}.",
        "这些盘有隐藏的牌：{hands}。其前的 {events} 个事件已评判，稽核发现 {findings} 项。",
        "這些盤有隱藏的牌：{hands}。其前的 {events} 個事件已評判，稽核發現 {findings} 項。",
    ),
    "rules/hidden_acts": (
        "Offers and passes of others are hidden ({acts} events); all else is judged as in a log without passes: "
        "findings {findings}.",
        "他人的提示与放弃未公开（{acts} 个事件），其余按无放弃记录的牌谱评判，稽核发现 {findings} 项。",
        "他人的提示與放棄未公開（{acts} 個事件），其餘按無放棄記錄的牌譜評判，稽核發現 {findings} 項。",
    ),
    "report/ok": (
        "The bundle's report is the one that its events give.",
        "证据包所附报告与由事件得出的报告一致。",
        "證據包所附報告與由事件得出的報告一致。",
    ),
    "report/differs": (
        "The bundle's report is not the one that its events give; these parts differ: {members}.",
        "证据包所附报告与由事件得出的报告不同，不同之处：{members}。",
        "證據包所附報告與由事件得出的報告不同，不同之處：{members}。",
    ),
    "report/other_engine": (
        "The report is by engine {engine}, and this engine gives another one; these parts differ: {members}.",
        "报告出自引擎 {engine}，本引擎得出的报告与之不同，不同之处：{members}。",
        "報告出自引擎 {engine}，本引擎得出的報告與之不同，不同之處：{members}。",
    ),
    "report/partly": (
        "The report is re-derived for {events} of {of} events. On the bundle's word alone stand its findings at: "
        "{findings}; parts that differ, which may hang on what is hidden: {members}.",
        "报告涵盖 {of} 个事件，其中 {events} 个已重新得出。仅凭证据包所言的稽核发现在事件：{findings}；"
        "可能取决于隐藏部分而有差异之处：{members}。",
        "報告涵蓋 {of} 個事件，其中 {events} 個已重新得出。僅憑證據包所言的稽核發現在事件：{findings}；"
        "可能取決於隱藏部分而有差異之處：{members}。",
    ),
}

#: Headings and phrases of the command and of the printed page.
LABELS: Rows = {
    "title": ("Evidence of a game", "牌局证据", "牌局證據"),
    "verified": ("VERIFIED", "已验证", "已驗證"),
    "not_verified": ("NOT VERIFIED", "未验证", "未驗證"),
    "verified_why": (
        "the log is the one sealed under the signed checkpoint, and everything shown agrees with it.",
        "此牌谱即签署的检查点所封存者，所示内容全部相符。",
        "此牌譜即簽署的檢查點所封存者，所示內容全部相符。",
    ),
    "steps": ("Steps of the verification", "验证步骤", "驗證步驟"),
    "step": ("Step", "步骤", "步驟"),
    "outcome": ("Outcome", "结果", "結果"),
    "stays_unproven": ("What stays unproven", "尚未能证明者", "尚未能證明者"),
    "ruleset": ("Rule set", "规则", "規則"),
    "version": ("Version", "版本", "版本"),
    "options": ("Options", "选项", "選項"),
    "digest": ("Digest", "摘要", "摘要"),
    "seats": ("Seats", "座位", "座位"),
    "player": ("Player", "玩家", "玩家"),
    "engine": ("Engine", "引擎", "引擎"),
    "verdict": ("Verdict of the audit", "稽核结论", "稽核結論"),
    "no_report": ("No report could be re-derived.", "未能重新得出报告。", "未能重新得出報告。"),
    "covers": ("over the first {count} events", "涵盖前 {count} 个事件", "涵蓋前 {count} 個事件"),
    "findings": ("Findings", "稽核发现", "稽核發現"),
    "no_findings": ("Nothing was found.", "没有发现问题。", "沒有發現問題。"),
    "clause": ("Clause", "条款", "條款"),
    "sentence": ("What was found", "内容", "內容"),
    "hands": ("Hands and payments", "各盘与收付", "各盤與收付"),
    "events": ("Events", "事件", "事件"),
    "seq": ("No.", "编号", "編號"),
    "at": ("Time (UTC)", "时间（UTC）", "時間（UTC）"),
    "what": ("What happened", "内容", "內容"),
    "leaf": ("Leaf", "叶", "葉"),
    "shown": ("Shown", "公开", "公開"),
    "full": ("in full", "完整", "完整"),
    "public": ("public part", "公开部分", "公開部分"),
    "private": ("an offer or an answer, not shown", "提示或答复，未公开", "提示或答覆，未公開"),
    "proof": ("Seal and checkpoint", "封存与检查点", "封存與檢查點"),
    "seal": ("Seal", "封存", "封存"),
    "checkpoint": ("Checkpoint", "检查点", "檢查點"),
    "place": ("Place in the log", "在日志中的位置", "在日誌中的位置"),
    "of": (
        "leaf {index}, counted from 0, of {size}",
        "共 {size} 叶，从 0 数起第 {index} 叶",
        "共 {size} 葉，從 0 數起第 {index} 葉",
    ),
    "root": ("Root of the game", "牌局之根", "牌局之根"),
    "head": ("Head of the chain", "链首", "鏈首"),
    "file": ("SHA-256 of the bundle file", "证据包文件的 SHA-256", "證據包檔案的 SHA-256"),
    "keys": ("Signed by", "签署公钥", "簽署公鑰"),
    "live": ("The game is live: not sealed.", "牌局尚在进行，未封存。", "牌局尚在進行，未封存。"),
}
