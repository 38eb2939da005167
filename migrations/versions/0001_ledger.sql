-- Revision 0001: games, their chained events, and what audits found in them.
--
-- Nobody who can log in may write events: the role mingpai_ledger owns them and the functions that append, and it
-- cannot log in itself. Conflicts are raised with SQLSTATEs of class MP; their DETAIL is a JSON object.

-- Roles belong to the whole cluster, so another database may have made them, or be making them right now.
DO $$
DECLARE
  v_role text;
BEGIN
  FOREACH v_role IN ARRAY ARRAY['mingpai_ledger', 'mingpai_application', 'mingpai_reader'] LOOP
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = v_role) THEN
      BEGIN
        EXECUTE pg_catalog.format('CREATE ROLE %I NOLOGIN', v_role);
        IF v_role = 'mingpai_ledger' THEN
          GRANT mingpai_ledger TO CURRENT_USER;
        END IF;
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL;
      END;
    END IF;
  END LOOP;
END $$;

-- What event 0 says of a game; it never changes.
CREATE TABLE mingpai.games (
  game            text COLLATE "C" PRIMARY KEY CHECK (octet_length(game) BETWEEN 1 AND 1024),
  ruleset_id      text NOT NULL,
  ruleset_version text NOT NULL,
  options         jsonb NOT NULL,  -- as event 0 names them: those that differ from the defaults
  ruleset_digest  bytea NOT NULL CHECK (octet_length(ruleset_digest) = 32),
  players         text[] NOT NULL, -- by seat
  started_at      text NOT NULL,   -- the game server's clock
  opened_at       timestamptz NOT NULL
);
CREATE INDEX ix_games_opened ON mingpai.games (opened_at, game);
CREATE INDEX ix_games_players ON mingpai.games USING gin (players);

-- How a game stands: the one row of it that every append locks.
CREATE TABLE mingpai.game_heads (
  game       text COLLATE "C" PRIMARY KEY REFERENCES mingpai.games,
  next_seq   integer NOT NULL,
  head       bytea NOT NULL,
  status     text NOT NULL DEFAULT 'open', -- then finished, abandoned or voided
  updated_at timestamptz NOT NULL,
  closed_at  timestamptz,
  sealed_at  timestamptz
) WITH (fillfactor = 50);
CREATE INDEX ix_game_heads_unsealed ON mingpai.game_heads (closed_at, game)
  WHERE status <> 'open' AND sealed_at IS NULL;

CREATE TABLE mingpai.game_secrets (
  game   text COLLATE "C" PRIMARY KEY REFERENCES mingpai.games,
  secret bytea NOT NULL CHECK (octet_length(secret) = 32)
);

-- What may have to be forgotten stands apart from the events, which only ever hold a digest of it.
CREATE TABLE mingpai.seat_names (
  game text COLLATE "C" NOT NULL REFERENCES mingpai.games,
  seat smallint NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (game, seat)
);

-- Free text of an event (why a hand was voided): the event holds SHA-256(salt || text).
CREATE TABLE mingpai.event_texts (
  game text COLLATE "C" NOT NULL REFERENCES mingpai.games,
  seq  integer NOT NULL,
  salt bytea NOT NULL CHECK (octet_length(salt) = 16),
  text bytea NOT NULL, -- UTF-8: JSON can say characters that the type text cannot hold
  PRIMARY KEY (game, seq)
);

-- Neither foreign keys nor checks here and in the other two tables that every append writes: the functions check the
-- same, under the lock of the head row, at a fraction of the time.
CREATE TABLE mingpai.events (
  game          text COLLATE "C" NOT NULL,
  seq           integer NOT NULL,
  recorded_at   timestamptz NOT NULL,
  body          bytea NOT NULL,  -- canonical JSON: these bytes are what is hashed
  public_digest bytea NOT NULL,  -- SHA-256 of the public form
  salt          bytea NOT NULL,
  head          bytea NOT NULL,  -- the chain's after this event
  PRIMARY KEY (game, seq)
);

-- One row an append, in the order of the feed: see feed_mark.
CREATE TABLE mingpai.appends (
  position    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  recorded_at timestamptz NOT NULL,
  first_seq   integer NOT NULL,
  last_seq    integer NOT NULL,
  game        text COLLATE "C" NOT NULL,
  key         text,
  head        bytea NOT NULL,
  UNIQUE (game, key)
);

-- Where an ingest puts events by COPY, for ingest_events to check and move within the same transaction. A batch is
-- whatever its transaction staged: the caller cannot name another, for it may not write that column.
CREATE UNLOGGED TABLE mingpai.staged_events (
  batch         xid8 NOT NULL DEFAULT pg_current_xact_id(),
  seq           integer NOT NULL,
  body          bytea NOT NULL,
  public_digest bytea NOT NULL,
  salt          bytea NOT NULL,
  PRIMARY KEY (batch, seq)
) WITH (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0);

-- One row a statement that stages; when its transaction ends, nothing of its batch may be left.
CREATE UNLOGGED TABLE mingpai.staging (
  batch xid8 NOT NULL DEFAULT pg_current_xact_id()
);

-- The log: one leaf a sealed game, and the hash of every complete subtree (RFC 9162) from level 1 up.
CREATE TABLE mingpai.log_leaves (
  index     bigint PRIMARY KEY CHECK (index >= 0),
  game      text COLLATE "C" NOT NULL UNIQUE REFERENCES mingpai.games,
  seal      bytea NOT NULL,  -- canonical JSON: the input of the leaf
  leaf      bytea NOT NULL CHECK (octet_length(leaf) = 32),
  sealed_at timestamptz NOT NULL
);

CREATE TABLE mingpai.log_nodes (
  level smallint NOT NULL CHECK (level > 0),
  index bigint NOT NULL CHECK (index >= 0),
  hash  bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (level, index)
);

-- The one row that every seal locks.
CREATE TABLE mingpai.log_head (
  one  boolean PRIMARY KEY DEFAULT true CHECK (one),
  size bigint NOT NULL
);
INSERT INTO mingpai.log_head (size) VALUES (0);

-- What was signed, and what witnesses signed of it. The keys are not here.
CREATE TABLE mingpai.checkpoints (
  position  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  size      bigint NOT NULL,
  note      bytea NOT NULL UNIQUE,
  signed_at timestamptz NOT NULL
);

CREATE TABLE mingpai.cosignatures (
  checkpoint  bigint NOT NULL, -- its position; a foreign key would need the right to change checkpoints
  line        text NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (checkpoint, line)
);

CREATE TABLE mingpai.audits (
  game       text COLLATE "C" NOT NULL REFERENCES mingpai.games,
  engine     text NOT NULL,
  upto_seq   integer NOT NULL,  -- last event that was audited
  verdict    text NOT NULL CHECK (verdict IN ('clean', 'violations', 'incomplete', 'unreadable')),
  report     text NOT NULL,     -- JSON, kept as it was written
  audited_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (game, engine)
);

CREATE TABLE mingpai.audit_hands (
  game       text COLLATE "C" NOT NULL,
  engine     text NOT NULL,
  hand       bigint NOT NULL,
  dealer     smallint,
  streak     bigint,
  winner     smallint,
  win        text,
  deltas     bigint[],
  items      jsonb NOT NULL,
  state_hash text,
  PRIMARY KEY (game, engine, hand),
  FOREIGN KEY (game, engine) REFERENCES mingpai.audits ON DELETE CASCADE
);

CREATE TABLE mingpai.findings (
  game     text COLLATE "C" NOT NULL,
  engine   text NOT NULL,
  ordinal  integer NOT NULL,  -- place in the report
  seq      integer,
  hand     bigint,
  seat     smallint,
  clause   text NOT NULL,
  code     text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('violation', 'warning')),
  expected jsonb,
  recorded jsonb,
  also     text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (game, engine, ordinal),
  FOREIGN KEY (game, engine) REFERENCES mingpai.audits ON DELETE CASCADE
);
CREATE INDEX ix_findings_clause ON mingpai.findings (clause, engine, game, ordinal);

CREATE FUNCTION mingpai.note_staging() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO mingpai.staging DEFAULT VALUES;
  RETURN NULL;
END $$;

CREATE FUNCTION mingpai.refuse_leftovers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM mingpai.staged_events s WHERE s.batch = NEW.batch) THEN
    RAISE EXCEPTION USING ERRCODE = 'MP014', MESSAGE = 'staged events are moved or given up before the commit';
  END IF;
  DELETE FROM mingpai.staging g WHERE g.batch = NEW.batch;
  RETURN NULL;
END $$;

CREATE TRIGGER noted AFTER INSERT ON mingpai.staged_events
  FOR EACH STATEMENT EXECUTE FUNCTION mingpai.note_staging();
CREATE CONSTRAINT TRIGGER nothing_is_left AFTER INSERT ON mingpai.staging
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION mingpai.refuse_leftovers();

-- Nothing of these is ever changed: by rights, and by triggers that fire in every replication role.

CREATE FUNCTION mingpai.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'MP010', MESSAGE = format('%s of %s is refused', lower(TG_OP), TG_TABLE_NAME);
END $$;

DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['games', 'game_secrets', 'events', 'appends', 'log_leaves', 'log_nodes',
                                 'checkpoints', 'cosignatures'] LOOP
    EXECUTE format('CREATE TRIGGER row_stays BEFORE UPDATE OR DELETE ON mingpai.%I
                    FOR EACH ROW EXECUTE FUNCTION mingpai.refuse_change()', v_table);
    EXECUTE format('CREATE TRIGGER rows_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON mingpai.%I
                    FOR EACH STATEMENT EXECUTE FUNCTION mingpai.refuse_change()', v_table);
    EXECUTE format('ALTER TABLE mingpai.%I ENABLE ALWAYS TRIGGER row_stays, ENABLE ALWAYS TRIGGER rows_stay', v_table);
  END LOOP;
  -- These rows change, but none ever goes.
  FOREACH v_table IN ARRAY ARRAY['game_heads', 'log_head'] LOOP
    EXECUTE format('CREATE TRIGGER row_stays BEFORE DELETE ON mingpai.%I
                    FOR EACH ROW EXECUTE FUNCTION mingpai.refuse_change()', v_table);
    EXECUTE format('CREATE TRIGGER rows_stay BEFORE DELETE OR TRUNCATE ON mingpai.%I
                    FOR EACH STATEMENT EXECUTE FUNCTION mingpai.refuse_change()', v_table);
    EXECUTE format('ALTER TABLE mingpai.%I ENABLE ALWAYS TRIGGER row_stays, ENABLE ALWAYS TRIGGER rows_stay', v_table);
  END LOOP;
END $$;

-- Reading in order. Positions are given out before they are committed, so the newest that is seen may have older ones
-- behind it that are still to come. Every append therefore holds, from before it takes its position until it has
-- committed, a lock that names the last position given out before: whatever is at or below all those names is there,
-- or will never be. Unlike a comparison of transaction numbers it waits for nobody but appends, and goes on to work
-- when a dump is restored into another cluster.

CREATE FUNCTION mingpai.last_position() RETURNS bigint LANGUAGE sql VOLATILE
  RETURN coalesce(pg_sequence_last_value('mingpai.appends_position_seq'), 0);

-- ASCII "MP" in the two highest bytes keeps these locks apart from others.
CREATE FUNCTION mingpai.hold_feed() RETURNS void LANGUAGE sql VOLATILE
  RETURN pg_advisory_xact_lock_shared((x'4d50'::bigint << 48) | mingpai.last_position());

CREATE VIEW mingpai.feed_writers AS
  SELECT l.pid, ((l.classid::bigint & x'ffff'::bigint) << 32) | l.objid::bigint AS after
  FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.classid::bigint >> 16 = x'4d50'::bigint
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database());

-- The last position that a reader may go to in its next statement. The newest position is read before the locks. A
-- replica has neither the locks nor the sequence as they are: what it would say could be wrong, so it says nothing.
CREATE FUNCTION mingpai.feed_mark() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_seen bigint := (SELECT max(a.position) FROM mingpai.appends a);
  v_last bigint := mingpai.last_position();
BEGIN
  IF pg_is_in_recovery() OR v_seen > v_last THEN
    RAISE EXCEPTION USING ERRCODE = 'MP015', MESSAGE = 'the feed is read on the server that is appended to, not on a replica';
  END IF;
  RETURN least(v_last, (SELECT min(after) FROM mingpai.feed_writers));
END $$;

-- Parts of the three functions that append.

CREATE TYPE mingpai.appended AS (game text, seq integer, head bytea, recorded_at timestamptz);
CREATE TYPE mingpai.ingested AS (game text, seq integer, head bytea, recorded_at timestamptz, skipped integer);
CREATE TYPE mingpai.sealed AS (index bigint, sealed_at timestamptz);

CREATE FUNCTION mingpai.refuse(p_state text, p_message text, p_head mingpai.game_heads, p_seq integer DEFAULT NULL)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = p_state, MESSAGE = p_message, DETAIL = json_build_object(
    'game', p_head.game, 'next_seq', p_head.next_seq, 'head', encode(p_head.head, 'hex'), 'seq', p_seq);
END $$;

CREATE FUNCTION mingpai.lock_head(p_game text) RETURNS mingpai.game_heads LANGUAGE plpgsql AS $$
DECLARE
  v_head mingpai.game_heads;
BEGIN
  SELECT * INTO v_head FROM mingpai.game_heads h WHERE h.game = p_game FOR UPDATE;
  IF NOT FOUND THEN
    v_head.game := p_game;
    PERFORM mingpai.refuse('MP006', format('no game %s', p_game), v_head);
  END IF;
  RETURN v_head;
END $$;

-- What an earlier append of the same bodies under the same key returned; NULL if the key is new.
CREATE FUNCTION mingpai.earlier(p_head mingpai.game_heads, p_key text, p_bodies bytea[])
RETURNS mingpai.appended LANGUAGE plpgsql AS $$
DECLARE
  v_row mingpai.appends;
BEGIN
  SELECT * INTO v_row FROM mingpai.appends a WHERE a.game = p_head.game AND a.key = p_key;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF p_bodies IS DISTINCT FROM (
    SELECT array_agg(e.body ORDER BY e.seq) FROM mingpai.events e
    WHERE e.game = v_row.game AND e.seq BETWEEN v_row.first_seq AND v_row.last_seq
  ) THEN
    PERFORM mingpai.refuse('MP002', format('key %s was used for other events', p_key), p_head, v_row.first_seq);
  END IF;
  RETURN (v_row.game, v_row.last_seq, v_row.head, v_row.recorded_at)::mingpai.appended;
END $$;

-- jsonb refuses the escape \u0000, which free members may hold: columns are read off with U+FFFD in its place.
CREATE FUNCTION mingpai.without_zeros(p_text text) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN regexp_replace(p_text, '(?<!\\)((?:\\\\)*)\\u0000', '\1\\ufffd', 'g');

CREATE FUNCTION mingpai.parsed(p_body bytea) RETURNS jsonb LANGUAGE sql IMMUTABLE
  RETURN mingpai.without_zeros(convert_from(p_body, 'UTF8'))::jsonb;

-- Leaf and head as fairness.md defines them ("Evidence").
CREATE FUNCTION mingpai.leaf(p_public bytea, p_salt bytea, p_body bytea) RETURNS bytea LANGUAGE sql IMMUTABLE
  RETURN sha256('\x00'::bytea || p_public || sha256(p_salt || p_body));

CREATE FUNCTION mingpai.next_head(p_head bytea, p_leaf bytea) RETURNS bytea LANGUAGE sql IMMUTABLE
  RETURN sha256('\x02'::bytea || p_head || p_leaf);

-- Events with their documents, for those who ask in SQL.
CREATE VIEW mingpai.event_documents AS
  SELECT e.game, e.seq, e.recorded_at, mingpai.parsed(e.body) AS event FROM mingpai.events e;

-- Makes the rows of a game from its first event; false if the game is there.
CREATE FUNCTION mingpai.create_game(
  p_game text, p_ruleset_digest bytea, p_secret bytea, p_names text[], p_body bytea
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_event jsonb := mingpai.parsed(p_body);
  v_now   timestamptz := clock_timestamp();
  v_head  mingpai.game_heads := (p_game, 0, decode(repeat('00', 32), 'hex'), 'open', v_now, NULL, NULL);
BEGIN
  IF v_event ->> 'type' IS DISTINCT FROM 'game_started' OR v_event ->> 'game' IS DISTINCT FROM p_game THEN
    PERFORM mingpai.refuse('MP007', 'the first event is not the start of this game', v_head, 0);
  END IF;
  IF EXISTS (SELECT FROM jsonb_array_elements(v_event -> 'seats') s WHERE s -> 'name' IS NOT NULL) THEN
    PERFORM mingpai.refuse('MP007', 'names are kept apart from the events', v_head, 0);
  END IF;
  INSERT INTO mingpai.games VALUES (
    p_game, v_event -> 'ruleset' ->> 'id', v_event -> 'ruleset' ->> 'version',
    coalesce(v_event -> 'ruleset' -> 'options', '{}'), p_ruleset_digest,
    ARRAY(SELECT s ->> 'player' FROM jsonb_array_elements(v_event -> 'seats') s),
    v_event ->> 'at', v_now
  ) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO mingpai.game_heads SELECT (v_head).*;
  INSERT INTO mingpai.game_secrets VALUES (p_game, p_secret);
  INSERT INTO mingpai.seat_names
    SELECT p_game, n - 1, name FROM unnest(p_names) WITH ORDINALITY AS x(name, n) WHERE name IS NOT NULL;
  RETURN true;
END $$;

-- How a game stands after an event, which this reads with jsonb's stricter eye.
CREATE FUNCTION mingpai.status_after(p_body bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_event jsonb := mingpai.parsed(p_body);
BEGIN
  IF v_event ->> 'type' IS DISTINCT FROM 'game_ended' THEN
    RETURN 'open';
  END IF;
  RETURN coalesce(v_event ->> 'reason', 'finished');
END $$;

-- Says what is wrong with an append that extend does not take.
CREATE FUNCTION mingpai.refuse_append(
  p_head mingpai.game_heads, p_key text, p_bodies bytea[], p_publics bytea[], p_salts bytea[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_head.sealed_at IS NOT NULL THEN
    PERFORM mingpai.refuse('MP004', format('game %s is sealed', p_head.game), p_head);
  ELSIF p_head.status <> 'open' THEN
    PERFORM mingpai.refuse('MP003', format('game %s has ended', p_head.game), p_head);
  ELSIF octet_length(p_key) NOT BETWEEN 1 AND 255 THEN
    PERFORM mingpai.refuse('MP007', 'a key has 1 to 255 bytes', p_head);
  END IF;
  PERFORM mingpai.refuse('MP007', 'as many digests and salts as events are needed, and at least one event', p_head);
END $$;

-- Says what is wrong with an event that extend does not take.
CREATE FUNCTION mingpai.refuse_event(
  p_head mingpai.game_heads, p_seq integer, p_body bytea, p_public bytea, p_salt bytea, p_status text
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF mingpai.parsed(p_body) -> 'seq' IS DISTINCT FROM to_jsonb(p_seq) THEN
    PERFORM mingpai.refuse('MP007', 'an event names another seq than its place', p_head, p_seq);
  ELSIF octet_length(p_public) IS DISTINCT FROM 32 OR octet_length(p_salt) IS DISTINCT FROM 16 THEN
    PERFORM mingpai.refuse('MP007', 'a digest has 32 bytes, a salt 16', p_head, p_seq);
  ELSIF p_status NOT IN ('open', 'finished', 'abandoned', 'voided') THEN
    PERFORM mingpai.refuse('MP007', 'a game is finished, abandoned or voided', p_head, p_seq);
  END IF;
  PERFORM mingpai.refuse('MP007', 'nothing follows the end of a game', p_head, p_seq + 1);
END $$;

-- Appends to a game whose head is locked: leaves, heads, rows, and the head row. The time is read after the lock is
-- held, so it follows the chain. Every expression costs some microseconds an append however few events there are, so
-- there are few; what goes wrong is told apart elsewhere.
CREATE FUNCTION mingpai.extend(
  p_head mingpai.game_heads, p_key text, p_bodies bytea[], p_publics bytea[], p_salts bytea[]
) RETURNS mingpai.appended LANGUAGE plpgsql AS $$
DECLARE
  v_count  integer := cardinality(p_bodies);
  v_now    timestamptz := clock_timestamp();
  v_chain  bytea := p_head.head;
  v_status text := 'open';
  v_text   text;
  v_heads  bytea[];
BEGIN
  IF p_head.status <> 'open' OR octet_length(p_key) NOT BETWEEN 1 AND 255 OR v_count = 0
     OR cardinality(p_publics) <> v_count OR cardinality(p_salts) <> v_count THEN
    PERFORM mingpai.refuse_append(p_head, p_key, p_bodies, p_publics, p_salts);
  END IF;
  FOR i IN 1 .. v_count LOOP
    v_text := convert_from(p_bodies[i], 'UTF8');
    IF strpos(v_text, '\u') > 0 OR strpos(v_text, '"game_ended"') > 0 THEN
      v_status := mingpai.status_after(p_bodies[i]);
      v_text := mingpai.parsed(p_bodies[i])::text;
    END IF;
    -- The type json only checks the syntax, in a third of the time that jsonb takes.
    IF (v_text::json -> 'seq')::text IS DISTINCT FROM (p_head.next_seq + i - 1)::text
       OR octet_length(p_publics[i]) <> 32 OR octet_length(p_salts[i]) <> 16
       OR v_status <> 'open' AND (i < v_count OR v_status NOT IN ('finished', 'abandoned', 'voided')) THEN
      PERFORM mingpai.refuse_event(p_head, p_head.next_seq + i - 1, p_bodies[i], p_publics[i], p_salts[i], v_status);
    END IF;
    v_chain := sha256('\x02'::bytea || v_chain || sha256(
      '\x00'::bytea || p_publics[i] || sha256(p_salts[i] || p_bodies[i])));
    v_heads[i] := v_chain;
  END LOOP;
  INSERT INTO mingpai.events (game, seq, recorded_at, body, public_digest, salt, head)
    SELECT p_head.game, p_head.next_seq + n - 1, v_now, x.body, x.public, x.salt, x.head
    FROM unnest(p_bodies, p_publics, p_salts, v_heads) WITH ORDINALITY AS x(body, public, salt, head, n);
  PERFORM mingpai.hold_feed();
  INSERT INTO mingpai.appends (recorded_at, first_seq, last_seq, game, key, head)
    VALUES (v_now, p_head.next_seq, p_head.next_seq + v_count - 1, p_head.game, p_key, v_chain)
    ON CONFLICT (game, key) DO NOTHING;
  IF NOT FOUND THEN
    PERFORM mingpai.refuse('MP002', format('key %s was used for other events', p_key), p_head, (
      SELECT a.first_seq FROM mingpai.appends a WHERE a.game = p_head.game AND a.key = p_key));
  END IF;
  UPDATE mingpai.game_heads SET next_seq = p_head.next_seq + v_count, head = v_chain, status = v_status,
    updated_at = v_now, closed_at = CASE WHEN v_status <> 'open' THEN v_now END WHERE game = p_head.game;
  RETURN (p_head.game, p_head.next_seq + v_count - 1, v_chain, v_now)::mingpai.appended;
END $$;

-- Keeps the free texts whose digests are in events that were just appended.
CREATE FUNCTION mingpai.keep_texts(p_head mingpai.game_heads, p_seqs integer[], p_salts bytea[], p_texts bytea[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_wrong integer;
BEGIN
  SELECT min(x.seq) INTO v_wrong
    FROM unnest(p_seqs, p_salts, p_texts) AS x(seq, salt, text)
    LEFT JOIN mingpai.events e ON e.game = p_head.game AND e.seq = x.seq
    WHERE mingpai.parsed(e.body) ->> 'reason'
      IS DISTINCT FROM 'sha256:' || encode(sha256(x.salt || x.text), 'hex');
  IF v_wrong IS NOT NULL THEN
    PERFORM mingpai.refuse('MP007', 'a text is not the one whose digest the event holds', p_head, v_wrong);
  END IF;
  INSERT INTO mingpai.event_texts
    SELECT p_head.game, x.seq, x.salt, x.text FROM unnest(p_seqs, p_salts, p_texts) AS x(seq, salt, text);
END $$;

CREATE FUNCTION mingpai.log_node(p_level smallint, p_index bigint) RETURNS bytea LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT CASE WHEN p_level = 0 THEN (SELECT l.leaf FROM mingpai.log_leaves l WHERE l.index = p_index)
              ELSE (SELECT n.hash FROM mingpai.log_nodes n WHERE n.level = p_level AND n.index = p_index) END;
END;

-- The interface: what the application may call.

CREATE FUNCTION mingpai.open_game(
  p_game text, p_key text, p_ruleset_digest bytea, p_secret bytea, p_names text[],
  p_body bytea, p_public bytea, p_salt bytea
) RETURNS mingpai.appended LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_created boolean := mingpai.create_game(p_game, p_ruleset_digest, p_secret, p_names, p_body);
  v_head    mingpai.game_heads := mingpai.lock_head(p_game);
  v_earlier mingpai.appended;
BEGIN
  IF NOT v_created THEN
    v_earlier := mingpai.earlier(v_head, p_key, ARRAY[p_body]);
    IF v_earlier.game IS NULL THEN
      PERFORM mingpai.refuse('MP005', format('game %s exists', p_game), v_head);
    END IF;
    RETURN v_earlier;
  END IF;
  RETURN mingpai.extend(v_head, p_key, ARRAY[p_body], ARRAY[p_public], ARRAY[p_salt]);
END $$;

-- A repeated append always meets a game that has gone on since: only then is its key looked up.
CREATE FUNCTION mingpai.append_events(
  p_game text, p_expected_seq integer, p_key text, p_bodies bytea[], p_publics bytea[], p_salts bytea[],
  p_text_seqs integer[] DEFAULT '{}', p_text_salts bytea[] DEFAULT '{}', p_texts bytea[] DEFAULT '{}'
) RETURNS mingpai.appended LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_head mingpai.game_heads := mingpai.lock_head(p_game);
  v_done mingpai.appended;
BEGIN
  IF v_head.next_seq IS DISTINCT FROM p_expected_seq THEN
    v_done := mingpai.earlier(v_head, p_key, p_bodies);
    IF v_done.game IS NOT NULL THEN
      RETURN v_done;
    END IF;
    PERFORM mingpai.refuse('MP001', format('game %s goes on at seq %s', p_game, v_head.next_seq), v_head);
  END IF;
  v_done := mingpai.extend(v_head, p_key, p_bodies, p_publics, p_salts);
  IF p_text_seqs <> '{}' THEN
    PERFORM mingpai.keep_texts(v_head, p_text_seqs, p_text_salts, p_texts);
  END IF;
  RETURN v_done;
END $$;
-- The events that this transaction staged: those that are stored must be the same bytes and are skipped, the others
-- are appended. The staging table is mostly dead rows between two vacuums, so a plan must never walk through it.
CREATE FUNCTION mingpai.ingest_events(
  p_game text, p_ruleset_digest bytea, p_secret bytea, p_names text[],
  p_text_seqs integer[] DEFAULT '{}', p_text_salts bytea[] DEFAULT '{}', p_texts bytea[] DEFAULT '{}'
) RETURNS mingpai.ingested
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
DECLARE
  v_batch   xid8 := pg_current_xact_id();
  v_first   integer;
  v_last    integer;
  v_count   bigint;
  v_bodies  bytea[];
  v_publics bytea[];
  v_salts   bytea[];
  v_created boolean;
  v_head    mingpai.game_heads;
  v_done    mingpai.appended;
  v_differs integer;
BEGIN
  SELECT min(s.seq), max(s.seq), count(*) INTO v_first, v_last, v_count FROM mingpai.staged_events s
    WHERE s.batch = v_batch;
  v_head.game := p_game;
  IF v_last - v_first + 1 IS DISTINCT FROM v_count THEN
    PERFORM mingpai.refuse('MP007', 'the staged events are not a run without gaps, or there are none', v_head);
  END IF;
  v_created := v_first = 0 AND mingpai.create_game(p_game, p_ruleset_digest, p_secret, p_names, (
    SELECT s.body FROM mingpai.staged_events s WHERE s.batch = v_batch AND s.seq = 0));
  v_head := mingpai.lock_head(p_game);
  IF v_head.next_seq < v_first THEN
    PERFORM mingpai.refuse('MP001', format('game %s goes on at seq %s', p_game, v_head.next_seq), v_head);
  END IF;
  SELECT min(s.seq) INTO v_differs FROM mingpai.staged_events s JOIN mingpai.events e ON e.game = p_game AND e.seq = s.seq
    WHERE s.batch = v_batch AND s.seq < v_head.next_seq AND e.body <> s.body;
  IF v_differs IS NOT NULL THEN
    PERFORM mingpai.refuse('MP008', format('event %s of game %s is stored with another content', v_differs, p_game),
                           v_head, v_differs);
  END IF;
  IF v_head.next_seq <= v_last THEN
    IF NOT v_created AND NOT EXISTS (
      SELECT FROM mingpai.game_secrets s WHERE s.game = p_game AND s.secret = p_secret
    ) THEN
      PERFORM mingpai.refuse('MP009', format('game %s has another secret', p_game), v_head);
    END IF;
    SELECT array_agg(s.body ORDER BY s.seq), array_agg(s.public_digest ORDER BY s.seq), array_agg(s.salt ORDER BY s.seq)
      INTO v_bodies, v_publics, v_salts
      FROM mingpai.staged_events s WHERE s.batch = v_batch AND s.seq >= v_head.next_seq;
    v_done := mingpai.extend(v_head, NULL, v_bodies, v_publics, v_salts);
    PERFORM mingpai.keep_texts(
      v_head, array_agg(x.seq), array_agg(x.salt), array_agg(x.text))
      FROM unnest(p_text_seqs, p_text_salts, p_texts) AS x(seq, salt, text)
      WHERE x.seq BETWEEN v_head.next_seq AND v_last HAVING count(*) > 0;
  ELSE
    v_done := (p_game, v_head.next_seq - 1, v_head.head, v_head.updated_at);
  END IF;
  DELETE FROM mingpai.staged_events s WHERE s.batch = v_batch;
  RETURN (p_game, v_done.seq, v_done.head, v_done.recorded_at,
          least(v_head.next_seq - v_first, v_count))::mingpai.ingested;
END $$;

-- Makes an ended game a leaf of the log; appends to it are refused as `sealed` from then on. The same seal again
-- returns the first result. What the seal says of the stored game is checked here; its root is the service's word,
-- and `db check` derives it anew.
CREATE FUNCTION mingpai.seal_game(p_game text, p_seal bytea) RETURNS mingpai.sealed
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_head  mingpai.game_heads := mingpai.lock_head(p_game);
  v_seal  jsonb := convert_from(p_seal, 'UTF8')::jsonb;
  v_now   timestamptz;
  v_leaf  mingpai.log_leaves;
  v_hash  bytea := sha256('\x00'::bytea || p_seal);
  v_level smallint := 0;
  v_index bigint;
BEGIN
  IF v_head.status = 'open' THEN
    PERFORM mingpai.refuse('MP011', format('game %s has not ended', p_game), v_head);
  END IF;
  SELECT * INTO v_leaf FROM mingpai.log_leaves l WHERE l.game = p_game;
  IF FOUND THEN
    IF v_leaf.seal <> p_seal THEN
      PERFORM mingpai.refuse('MP004', format('game %s is sealed otherwise', p_game), v_head);
    END IF;
    RETURN (v_leaf.index, v_leaf.sealed_at)::mingpai.sealed;
  END IF;
  IF v_seal ->> 'game' !~ '^[0-9a-f]{64}$' OR v_seal ->> 'root' !~ '^[0-9a-f]{64}$' OR NOT v_seal ?& '{game,root}'
     OR v_seal - 'game' - 'root' IS DISTINCT FROM (
    SELECT jsonb_build_object('type', 'mingpai-seal/1', 'events', v_head.next_seq, 'head', encode(v_head.head, 'hex'),
                              'ruleset', encode(g.ruleset_digest, 'hex'), 'reason', v_head.status)
    FROM mingpai.games g WHERE g.game = p_game
  ) THEN
    PERFORM mingpai.refuse('MP012', format('the seal does not say what is stored of game %s', p_game), v_head);
  END IF;
  SELECT h.size INTO v_index FROM mingpai.log_head h FOR UPDATE;
  v_now := clock_timestamp();  -- after the lock is held, so that times follow places
  INSERT INTO mingpai.log_leaves VALUES (v_index, p_game, p_seal, v_hash, v_now);
  UPDATE mingpai.log_head SET size = v_index + 1;
  UPDATE mingpai.game_heads SET sealed_at = v_now WHERE game = p_game;
  v_leaf.index := v_index;
  WHILE v_index & 1 = 1 LOOP  -- a right child: its parent's subtree is complete now
    v_hash := sha256('\x01'::bytea || mingpai.log_node(v_level, v_index - 1) || v_hash);
    v_level := v_level + 1;
    v_index := v_index >> 1;
    INSERT INTO mingpai.log_nodes VALUES (v_level, v_index, v_hash);
  END LOOP;
  RETURN (v_leaf.index, v_now)::mingpai.sealed;
END $$;

-- Keeps a signed checkpoint; one of a smaller tree than the newest, or of a larger one than the log, is refused.
CREATE FUNCTION mingpai.keep_checkpoint(p_size bigint, p_note bytea) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_size     bigint;
  v_newest   bigint;
  v_position bigint;
BEGIN
  SELECT h.size INTO v_size FROM mingpai.log_head h FOR UPDATE;
  SELECT max(c.size) INTO v_newest FROM mingpai.checkpoints c;
  IF p_size > v_size OR p_size < v_newest THEN
    RAISE EXCEPTION USING ERRCODE = 'MP013', MESSAGE = format(
      'a checkpoint of size %s, where the log has %s and the newest one %s', p_size, v_size, v_newest);
  END IF;
  INSERT INTO mingpai.checkpoints (size, note, signed_at) VALUES (p_size, p_note, clock_timestamp())
    ON CONFLICT (note) DO NOTHING;
  SELECT c.position INTO v_position FROM mingpai.checkpoints c WHERE c.note = p_note;
  RETURN v_position;
END $$;

CREATE FUNCTION mingpai.keep_cosignature(p_checkpoint bigint, p_line text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM mingpai.checkpoints c WHERE c.position = p_checkpoint) THEN
    RAISE EXCEPTION USING ERRCODE = 'MP013', MESSAGE = format('no checkpoint %s', p_checkpoint);
  END IF;
  INSERT INTO mingpai.cosignatures VALUES (p_checkpoint, p_line, clock_timestamp()) ON CONFLICT DO NOTHING;
END $$;

-- Rights.

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA mingpai FROM PUBLIC;
GRANT USAGE ON SCHEMA mingpai TO mingpai_ledger, mingpai_application, mingpai_reader;

GRANT SELECT, INSERT ON mingpai.games, mingpai.game_secrets TO mingpai_ledger;
GRANT INSERT ON mingpai.seat_names, mingpai.event_texts TO mingpai_ledger;

GRANT SELECT ON ALL TABLES IN SCHEMA mingpai TO mingpai_application;
REVOKE SELECT ON mingpai.staged_events, mingpai.staging FROM mingpai_application;
GRANT INSERT (seq, body, public_digest, salt) ON mingpai.staged_events TO mingpai_application;
GRANT INSERT, UPDATE, DELETE ON mingpai.audits, mingpai.audit_hands, mingpai.findings TO mingpai_application;
GRANT DELETE ON mingpai.seat_names, mingpai.event_texts TO mingpai_application;
GRANT SELECT ON SEQUENCE mingpai.appends_position_seq TO mingpai_application, mingpai_reader;
GRANT EXECUTE ON FUNCTION mingpai.open_game, mingpai.append_events, mingpai.ingest_events, mingpai.seal_game,
  mingpai.keep_checkpoint, mingpai.keep_cosignature TO mingpai_application;
GRANT EXECUTE ON FUNCTION mingpai.last_position, mingpai.feed_mark, mingpai.parsed, mingpai.without_zeros TO mingpai_application, mingpai_reader;

GRANT SELECT ON mingpai.alembic_version, mingpai.games, mingpai.game_heads, mingpai.events, mingpai.appends,
  mingpai.log_leaves, mingpai.log_nodes, mingpai.log_head, mingpai.checkpoints, mingpai.cosignatures,
  mingpai.feed_writers, mingpai.event_documents, mingpai.audits, mingpai.audit_hands, mingpai.findings TO mingpai_reader;

-- Giving something away needs the new owner's right to create here, for that moment only.
GRANT CREATE ON SCHEMA mingpai TO mingpai_ledger;
DO $$
DECLARE
  v_name text;
BEGIN
  FOREACH v_name IN ARRAY ARRAY['game_heads', 'events', 'appends', 'staged_events', 'staging', 'log_leaves',
                                'log_nodes', 'log_head', 'checkpoints', 'cosignatures'] LOOP
    EXECUTE format('ALTER TABLE mingpai.%I OWNER TO mingpai_ledger', v_name);
  END LOOP;
  FOR v_name IN SELECT oid::regprocedure FROM pg_proc
    WHERE pronamespace = 'mingpai'::regnamespace AND proname <> 'refuse_change' LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO mingpai_ledger', v_name);
  END LOOP;
END $$;
REVOKE CREATE ON SCHEMA mingpai FROM mingpai_ledger;
REVOKE UPDATE, DELETE, TRUNCATE ON mingpai.events, mingpai.appends, mingpai.log_leaves, mingpai.log_nodes,
  mingpai.checkpoints, mingpai.cosignatures FROM mingpai_ledger;
REVOKE DELETE, TRUNCATE ON mingpai.game_heads, mingpai.log_head FROM mingpai_ledger;
