-- Revision 0004: disputes, chained like games.
--
-- Nobody who can log in may write the events of a case: mingpai_ledger owns them and the function that appends. What it
-- refuses has an SQLSTATE of class MC; where the case stands against the call, DETAIL is a JSON object.

-- How a case stands: the one row of it that every append locks.
CREATE TABLE mingpai.case_heads (
  case_id    text COLLATE "C" PRIMARY KEY CHECK (octet_length(case_id) BETWEEN 1 AND 64),
  game       text COLLATE "C" NOT NULL REFERENCES mingpai.games,
  next_seq   integer NOT NULL,
  head       bytea NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX ix_case_heads_game ON mingpai.case_heads (game, case_id);

CREATE TABLE mingpai.case_events (
  case_id       text COLLATE "C" NOT NULL,
  seq           integer NOT NULL,
  recorded_at   timestamptz NOT NULL, -- what the event itself says, by this database's clock
  body          bytea NOT NULL,       -- canonical JSON: these bytes are what is hashed
  public_digest bytea NOT NULL,       -- SHA-256 of what the case's own player may know of it
  salt          bytea NOT NULL,
  head          bytea NOT NULL,       -- the chain's after this event
  PRIMARY KEY (case_id, seq)
);

-- One row an append, in the order of the feed of cases: see case_mark. A key is its principal's own.
CREATE TABLE mingpai.case_appends (
  position    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  recorded_at timestamptz NOT NULL,
  first_seq   integer NOT NULL,
  last_seq    integer NOT NULL,
  case_id     text COLLATE "C" NOT NULL,
  principal   text NOT NULL,
  key         text,
  head        bytea NOT NULL,
  UNIQUE (principal, key)
);
CREATE INDEX ix_case_appends_case ON mingpai.case_appends (case_id, first_seq);

-- Frozen bundles and reports, by what the events call them.
CREATE TABLE mingpai.case_evidence (
  digest  bytea PRIMARY KEY,
  kind    text NOT NULL CHECK (kind IN ('bundle', 'report')),
  content bytea NOT NULL,
  kept_at timestamptz NOT NULL,
  CHECK (digest = sha256(content))
);

-- Free text of an event, which holds only SHA-256(salt || text): it may have to be forgotten.
CREATE TABLE mingpai.case_texts (
  case_id text COLLATE "C" NOT NULL,
  seq     integer NOT NULL,
  salt    bytea NOT NULL CHECK (octet_length(salt) = 16),
  text    bytea NOT NULL, -- UTF-8
  PRIMARY KEY (case_id, seq)
);

-- How cases stand, to ask by: what folding their events gives, and nothing else.
CREATE TABLE mingpai.case_states (
  case_id      text COLLATE "C" PRIMARY KEY REFERENCES mingpai.case_heads,
  game         text COLLATE "C" NOT NULL,
  events       integer NOT NULL, -- that were folded
  state        text NOT NULL CHECK (state IN (
    'open', 'in_review', 'pending_approval', 'decided', 'appealed', 'withdrawn', 'closed')),
  round        smallint NOT NULL, -- 2 after an appeal
  hand         bigint,
  step         integer,
  clause       text,
  player       text,              -- whose case it is; NULL where it is the staff's alone
  opened_by    text NOT NULL,
  opened_at    timestamptz NOT NULL,
  assignee     text,
  due          timestamptz NOT NULL,
  appeal_until timestamptz,
  outcome      text               -- of the verdict that stands
);
CREATE INDEX ix_case_states_opened ON mingpai.case_states (opened_at, case_id);
CREATE INDEX ix_case_states_game ON mingpai.case_states (game, state);
CREATE INDEX ix_case_states_player ON mingpai.case_states (player, opened_at, case_id);
CREATE INDEX ix_case_states_due ON mingpai.case_states (due, case_id)
  WHERE state IN ('open', 'in_review', 'pending_approval', 'appealed');

DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['case_events', 'case_appends', 'case_evidence'] LOOP
    EXECUTE format('CREATE TRIGGER row_stays BEFORE UPDATE OR DELETE ON mingpai.%I
                    FOR EACH ROW EXECUTE FUNCTION mingpai.refuse_change()', v_table);
    EXECUTE format('CREATE TRIGGER rows_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON mingpai.%I
                    FOR EACH STATEMENT EXECUTE FUNCTION mingpai.refuse_change()', v_table);
    EXECUTE format('ALTER TABLE mingpai.%I ENABLE ALWAYS TRIGGER row_stays, ENABLE ALWAYS TRIGGER rows_stay', v_table);
  END LOOP;
  -- These rows change, but none ever goes.
  CREATE TRIGGER row_stays BEFORE DELETE ON mingpai.case_heads
    FOR EACH ROW EXECUTE FUNCTION mingpai.refuse_change();
  CREATE TRIGGER rows_stay BEFORE DELETE OR TRUNCATE ON mingpai.case_heads
    FOR EACH STATEMENT EXECUTE FUNCTION mingpai.refuse_change();
  ALTER TABLE mingpai.case_heads ENABLE ALWAYS TRIGGER row_stays, ENABLE ALWAYS TRIGGER rows_stay;
  -- A text may go, but never become another one.
  CREATE TRIGGER row_stays BEFORE UPDATE ON mingpai.case_texts
    FOR EACH ROW EXECUTE FUNCTION mingpai.refuse_change();
  ALTER TABLE mingpai.case_texts ENABLE ALWAYS TRIGGER row_stays;
END $$;

-- Reading in order, as the feed of games does it (revision 0001), with locks of its own: ASCII "MC".

CREATE FUNCTION mingpai.last_case_position() RETURNS bigint LANGUAGE sql VOLATILE
  RETURN coalesce(pg_sequence_last_value('mingpai.case_appends_position_seq'), 0);

CREATE FUNCTION mingpai.hold_cases() RETURNS void LANGUAGE sql VOLATILE
  RETURN pg_advisory_xact_lock_shared((x'4d43'::bigint << 48) | mingpai.last_case_position());

CREATE VIEW mingpai.case_writers AS
  SELECT l.pid, ((l.classid::bigint & x'ffff'::bigint) << 32) | l.objid::bigint AS after
  FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.classid::bigint >> 16 = x'4d43'::bigint
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database());

-- The last position that a reader may go to in its next statement.
CREATE FUNCTION mingpai.case_mark() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_seen bigint := (SELECT max(a.position) FROM mingpai.case_appends a);
  v_last bigint := mingpai.last_case_position();
BEGIN
  IF pg_is_in_recovery() OR v_seen > v_last THEN
    RAISE EXCEPTION USING ERRCODE = 'MP015', MESSAGE = 'the feed is read on the server that is appended to, not on a replica';
  END IF;
  RETURN least(v_last, (SELECT min(after) FROM mingpai.case_writers));
END $$;

-- Parts of the function that appends.

CREATE TYPE mingpai.case_appended AS (case_id text, seq integer, head bytea, recorded_at timestamptz);

CREATE FUNCTION mingpai.refuse_case(p_state text, p_message text, p_head mingpai.case_heads) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = p_state, MESSAGE = p_message, DETAIL = json_build_object(
    'case', p_head.case_id, 'next_seq', p_head.next_seq, 'head', encode(p_head.head, 'hex'));
END $$;

-- The head row of a case, locked; made by its first append.
CREATE FUNCTION mingpai.lock_case(p_case text, p_first jsonb) RETURNS mingpai.case_heads LANGUAGE plpgsql AS $$
DECLARE
  v_head mingpai.case_heads;
BEGIN
  IF p_first ->> 'type' = 'opened' THEN
    INSERT INTO mingpai.case_heads
      SELECT p_case, g.game, 0, decode(repeat('00', 32), 'hex'), clock_timestamp()
      FROM mingpai.games g WHERE g.game = p_first ->> 'game'
      ON CONFLICT DO NOTHING;
  END IF;
  SELECT * INTO v_head FROM mingpai.case_heads h WHERE h.case_id = p_case FOR UPDATE;
  IF NOT FOUND THEN
    v_head.case_id := p_case;
    PERFORM mingpai.refuse_case('MC006', format('no case %s, or no game for it', p_case), v_head);
  END IF;
  RETURN v_head;
END $$;

-- Four eyes, whatever the caller believes: who approves or rejects is not who proposed, neither as a principal nor as
-- a player, and what is approved rests on the newest evidence, which is how the game and its audit stand now.
CREATE FUNCTION mingpai.check_decision(p_head mingpai.case_heads, p_event jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_proposal jsonb := (SELECT mingpai.parsed(e.body) FROM mingpai.case_events e
                       WHERE e.case_id = p_head.case_id AND e.seq = (p_event ->> 'proposal')::integer);
  v_evidence jsonb;
  v_head     bytea;
BEGIN
  IF v_proposal ->> 'type' IS DISTINCT FROM 'verdict_proposed' OR EXISTS (
    SELECT FROM mingpai.case_events e WHERE e.case_id = p_head.case_id AND e.seq > (p_event ->> 'proposal')::integer
      AND mingpai.parsed(e.body) -> 'proposal' = p_event -> 'proposal'
  ) THEN
    PERFORM mingpai.refuse_case('MC007', 'the decision names no proposal that is pending', p_head);
  END IF;
  IF p_event #>> '{by,principal}' = v_proposal #>> '{by,principal}'
     OR p_event #>> '{by,player}' = v_proposal #>> '{by,player}' THEN
    PERFORM mingpai.refuse_case('MC004', 'a proposal is decided on by another person', p_head);
  END IF;
  IF p_event ->> 'type' <> 'verdict_approved' THEN
    RETURN;
  END IF;
  SELECT mingpai.parsed(e.body) INTO v_evidence FROM mingpai.case_events e
    WHERE e.case_id = p_head.case_id AND strpos(convert_from(e.body, 'UTF8'), '"type":"evidence_attached"') > 0
    ORDER BY e.seq DESC LIMIT 1;
  SELECT h.head INTO v_head FROM mingpai.game_heads h WHERE h.game = p_head.game FOR SHARE; -- until the commit
  IF v_evidence ->> 'seq' IS DISTINCT FROM v_proposal ->> 'evidence'
     OR v_evidence ->> 'game_head' IS DISTINCT FROM encode(v_head, 'hex')
     OR v_evidence ->> 'report' IS DISTINCT FROM (
       SELECT encode(sha256(convert_to(a.report, 'UTF8')), 'hex') FROM mingpai.audits a
       WHERE a.game = p_head.game ORDER BY a.audited_at DESC LIMIT 1) THEN
    PERFORM mingpai.refuse_case('MC005', 'the evidence has changed since the proposal', p_head);
  END IF;
END $$;

CREATE FUNCTION mingpai.check_case_event(
  p_head mingpai.case_heads, p_seq integer, p_principal text, p_event jsonb, p_public bytea, p_salt bytea
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
BEGIN
  IF p_event ->> 'case' IS DISTINCT FROM p_head.case_id
     OR p_event -> 'seq' IS DISTINCT FROM to_jsonb(p_seq)
     OR (p_event ->> 'type' = 'opened') IS DISTINCT FROM (p_seq = 0)
     OR p_event #>> '{by,principal}' IS DISTINCT FROM p_principal
     OR (p_event ->> 'at')::timestamptz NOT BETWEEN v_now - interval '5 minutes' AND v_now
     OR octet_length(p_public) <> 32 OR octet_length(p_salt) <> 16 THEN
    PERFORM mingpai.refuse_case('MC007', format('no event of case %s at %s by %s', p_head.case_id, p_seq, p_principal),
                                p_head);
  END IF;
  IF p_event ->> 'type' IN ('verdict_approved', 'verdict_rejected') THEN
    PERFORM mingpai.check_decision(p_head, p_event);
  END IF;
  IF p_event ->> 'type' = 'evidence_attached' AND EXISTS (
    SELECT FROM (SELECT p_event ->> 'bundle' UNION ALL SELECT p_event ->> 'report'
                 UNION ALL SELECT s.value FROM jsonb_each_text(coalesce(p_event -> 'seats', '{}')) s) AS named(digest)
    WHERE named.digest IS NOT NULL
      AND NOT EXISTS (SELECT FROM mingpai.case_evidence c WHERE c.digest = decode(named.digest, 'hex'))
  ) THEN
    PERFORM mingpai.refuse_case('MC007', 'evidence that is not kept', p_head);
  END IF;
END $$;

CREATE FUNCTION mingpai.keep_case_texts(p_case text, p_seqs integer[], p_salts bytea[], p_texts bytea[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM unnest(p_seqs, p_salts, p_texts) AS x(seq, salt, text)
    LEFT JOIN mingpai.case_events e ON e.case_id = p_case AND e.seq = x.seq
    WHERE mingpai.parsed(e.body) ->> 'text' IS DISTINCT FROM 'sha256:' || encode(sha256(x.salt || x.text), 'hex')
  ) THEN
    RAISE EXCEPTION USING ERRCODE = 'MC007', MESSAGE = 'a text is not the one whose digest the event holds';
  END IF;
  INSERT INTO mingpai.case_texts
    SELECT p_case, x.seq, x.salt, x.text FROM unnest(p_seqs, p_salts, p_texts) AS x(seq, salt, text);
END $$;

-- The interface: appends events to a case, the first of them at p_expected_seq, with their texts and what they rest on;
-- all or nothing. A case is made by its first append, at 0.
CREATE FUNCTION mingpai.append_case(
  p_case text, p_expected_seq integer, p_principal text, p_key text,
  p_bodies bytea[], p_publics bytea[], p_salts bytea[],
  p_text_seqs integer[], p_text_salts bytea[], p_texts bytea[], p_kinds text[], p_contents bytea[]
) RETURNS mingpai.case_appended LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_head  mingpai.case_heads := mingpai.lock_case(p_case, mingpai.parsed(p_bodies[1]));
  v_count integer := cardinality(p_bodies);
  v_chain bytea := v_head.head;
  v_seq   integer;
  v_event jsonb;
  v_now   timestamptz;
BEGIN
  IF v_head.next_seq <> p_expected_seq THEN
    PERFORM mingpai.refuse_case('MC001', format('case %s goes on at seq %s', p_case, v_head.next_seq), v_head);
  END IF;
  IF v_count = 0 OR cardinality(p_publics) <> v_count OR cardinality(p_salts) <> v_count THEN
    PERFORM mingpai.refuse_case('MC007', 'as many digests and salts as events', v_head);
  END IF;
  INSERT INTO mingpai.case_evidence
    SELECT sha256(x.content), x.kind, x.content, clock_timestamp()
    FROM unnest(p_kinds, p_contents) AS x(kind, content) ON CONFLICT DO NOTHING;
  FOR i IN 1 .. v_count LOOP
    v_seq := v_head.next_seq + i - 1;
    v_event := mingpai.parsed(p_bodies[i]);
    PERFORM mingpai.check_case_event(v_head, v_seq, p_principal, v_event, p_publics[i], p_salts[i]);
    v_now := (v_event ->> 'at')::timestamptz;
    v_chain := mingpai.next_head(v_chain, mingpai.leaf(p_publics[i], p_salts[i], p_bodies[i]));
    INSERT INTO mingpai.case_events VALUES (p_case, v_seq, v_now, p_bodies[i], p_publics[i], p_salts[i], v_chain);
  END LOOP;
  PERFORM mingpai.keep_case_texts(p_case, p_text_seqs, p_text_salts, p_texts);
  PERFORM mingpai.hold_cases();
  INSERT INTO mingpai.case_appends (recorded_at, first_seq, last_seq, case_id, principal, key, head)
    VALUES (v_now, v_head.next_seq, v_seq, p_case, p_principal, p_key, v_chain)
    ON CONFLICT (principal, key) DO NOTHING;
  IF NOT FOUND THEN
    PERFORM mingpai.refuse_case('MC002', format('key %s was used before', p_key), v_head);
  END IF;
  UPDATE mingpai.case_heads SET next_seq = v_seq + 1, head = v_chain, updated_at = v_now WHERE case_id = p_case;
  RETURN (p_case, v_seq, v_chain, v_now)::mingpai.case_appended;
END $$;

-- Rights.

REVOKE ALL ON FUNCTION mingpai.last_case_position, mingpai.hold_cases, mingpai.case_mark, mingpai.refuse_case,
  mingpai.lock_case, mingpai.check_decision, mingpai.check_case_event, mingpai.keep_case_texts, mingpai.append_case
  FROM PUBLIC;

GRANT SELECT ON mingpai.audits TO mingpai_ledger;
GRANT SELECT, INSERT ON mingpai.case_texts TO mingpai_ledger;
GRANT SELECT ON mingpai.case_heads, mingpai.case_events, mingpai.case_appends, mingpai.case_evidence,
  mingpai.case_texts, mingpai.case_states, mingpai.case_writers TO mingpai_application;
GRANT DELETE ON mingpai.case_texts TO mingpai_application;
GRANT INSERT, UPDATE, DELETE ON mingpai.case_states TO mingpai_application;
GRANT SELECT ON SEQUENCE mingpai.case_appends_position_seq TO mingpai_application;
GRANT EXECUTE ON FUNCTION mingpai.append_case, mingpai.case_mark, mingpai.last_case_position TO mingpai_application;
GRANT SELECT ON mingpai.case_heads, mingpai.case_states TO mingpai_reader;

GRANT CREATE ON SCHEMA mingpai TO mingpai_ledger;
DO $$
DECLARE
  v_name text;
BEGIN
  FOREACH v_name IN ARRAY ARRAY['case_heads', 'case_events', 'case_appends', 'case_evidence'] LOOP
    EXECUTE format('ALTER TABLE mingpai.%I OWNER TO mingpai_ledger', v_name);
  END LOOP;
  FOREACH v_name IN ARRAY ARRAY['last_case_position', 'hold_cases', 'case_mark', 'refuse_case', 'lock_case',
                                'check_decision', 'check_case_event', 'keep_case_texts', 'append_case'] LOOP
    EXECUTE format('ALTER FUNCTION mingpai.%I OWNER TO mingpai_ledger', v_name);
  END LOOP;
END $$;
REVOKE CREATE ON SCHEMA mingpai FROM mingpai_ledger;
REVOKE UPDATE, DELETE, TRUNCATE ON mingpai.case_events, mingpai.case_appends, mingpai.case_evidence
  FROM mingpai_ledger;
REVOKE DELETE, TRUNCATE ON mingpai.case_heads FROM mingpai_ledger;
