// What may be done to a case, by whom and in which state: the table of service/disputes/rules.py, so that a page offers
// no act that would be refused. The service judges anew, and knows more: which principals are one person.

const STAFF = ["clerk", "auditor", "admin"];
const ANYBODY = ["player", ...STAFF];
const UNDECIDED = ["OPEN", "IN_REVIEW", "APPEALED"];
const WORKING = [...UNDECIDED, "PENDING_APPROVAL"];
const STANDING = [...WORKING, "DECIDED"];

/** The roles that have it, the states in which it can be done, and what must hold besides, in the order it is asked. */
export const RULES = {
  state: { roles: ANYBODY, states: STANDING, checks: [isImpartialOrParty] },
  note: { roles: STAFF, states: STANDING, checks: [isImpartial] },
  take: { roles: STAFF, states: UNDECIDED, checks: [isImpartial, isFresh, isNotMine] },
  assign: { roles: STAFF, states: UNDECIDED, checks: [isImpartial] },
  set_due: { roles: STAFF, states: WORKING, checks: [isImpartial] },
  refresh: { roles: STAFF, states: WORKING, checks: [isImpartial] },
  propose: { roles: STAFF, states: ["IN_REVIEW"], checks: [isImpartial, isFresh, isAssignee, hasEvidence] },
  approve: { roles: STAFF, states: ["PENDING_APPROVAL"], checks: [isImpartial, isFresh, isOtherPerson] },
  reject: { roles: STAFF, states: ["PENDING_APPROVAL"], checks: [isImpartial, isFresh, isOtherPerson] },
  appeal: { roles: ["player"], states: ["DECIDED"], checks: [isInTerm] },
  withdraw: { roles: ANYBODY, states: WORKING, checks: [isOpenerOrParty] },
  close: { roles: STAFF, states: ["DECIDED"], checks: [isImpartial, isAfterTerm] },
};

/**
 * How somebody stands to a case: `dispute` as `dispute.js` gives it, `players` of the game, `who` of the session.
 * The roles are those in which it may act in this case.
 */
export function standing(dispute, players, who) {
  const isParty = dispute.player !== null && dispute.player === who.player && who.roles.includes("player");
  const events = dispute.events;
  const proposals = events.filter(({ type }) => type === "VERDICT_PROPOSED");
  const approvals = events.filter(({ type }) => type === "VERDICT_APPROVED");
  const approved = proposals.filter(({ seq }) => approvals.some(({ details }) => details.proposal === seq));
  return {
    state: dispute.state,
    me: who.principal,
    isParty,
    roles: [...who.roles.filter((role) => STAFF.includes(role)), ...(isParty ? ["player"] : [])],
    sat: who.player !== null && players.includes(who.player),
    assignee: dispute.assignee,
    opener: dispute.openedBy,
    appealUntil: dispute.appealUntil,
    hasEvidence: dispute.evidence.length > 0,
    proposer: proposals.at(-1)?.principal ?? null,
    deciders: [...approvals, ...approved].map(({ principal }) => principal),
  };
}

/** Why somebody who stands to a case like this may not do an act now: a code of the service, null if it may. */
export function refusal(act, stands, now = new Date()) {
  const rule = RULES[act];
  if (!rule.roles.some((role) => stands.roles.includes(role))) return "role";
  if (!rule.states.includes(stands.state)) return "wrong_state";
  for (const check of rule.checks) {
    const found = check(stands, now);
    if (found !== null) return found;
  }
  return null;
}

function isImpartial({ sat }) {
  return sat ? "conflict_of_interest" : null;
}

function isImpartialOrParty(stands) {
  return stands.isParty ? null : isImpartial(stands);
}

function isFresh({ deciders, me }) {
  return deciders.includes(me) ? "decided_before" : null;
}

// No rule of the service's: taking what one has would change nothing.
function isNotMine({ assignee, me, state }) {
  return assignee === me && state === "IN_REVIEW" ? "wrong_state" : null;
}

function isAssignee({ assignee, me }) {
  return assignee === me ? null : "not_assignee";
}

function hasEvidence(stands) {
  return stands.hasEvidence ? null : "no_evidence";
}

function isOtherPerson({ proposer, me }) {
  return proposer === me ? "same_person" : null;
}

function isInTerm({ appealUntil }, now) {
  return appealUntil === null || now > new Date(appealUntil) ? "term_over" : null;
}

function isAfterTerm({ appealUntil }, now) {
  return appealUntil !== null && now <= new Date(appealUntil) ? "term_running" : null;
}

function isOpenerOrParty({ isParty, opener, me }) {
  return isParty || opener === me ? null : "not_opener";
}
