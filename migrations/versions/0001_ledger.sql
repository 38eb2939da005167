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

CREATE TABLE mingpai.games (
  game            text PRIMARY KEY CHECK (octet_length(game) BETWEEN 1 AND 1024),
  ruleset_id      text NOT NULL,
  ruleset_version text NOT NULL,
  options         jsonb NOT NULL,  -- as event 0 names them: those that differ from the defaults
  ruleset_digest  bytea NOT NULL CHECK (octet_length(ruleset_digest) = 32),
  players         text[] NOT NULL, -- by seat
  started_at      text NOT NULL,   -- the game server's clock
  status          text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'finished', 'abandoned', 'voided')),
  opened_at       timestamptz NOT NULL,
  closed_at       timestamptz,
  sealed_at       timestamptz
);
CREATE INDEX ix_games_opened ON mingpai.games (opened_at, game);
CREATE INDEX ix_games_players ON mingpai.games USING gin (players);

-- The one row of a game that every append locks.
CREATE TABLE mingpai.game_heads (
  game       text PRIMARY KEY REFERENCES mingpai.games,
  next_seq   integer NOT NULL,
  head       bytea NOT NULL CHECK (octet_length(head) = 32),
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE mingpai.game_secrets (
  game   text PRIMARY KEY REFERENCES mingpai.games,
  secret bytea NOT NULL CHECK (octet_length(secret) = 32)
);

CREATE TABLE mingpai.seat_names (
  game text NOT NULL REFERENCES mingpai.games,
  seat smallint NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (game, seat)
);

-- No foreign key: the locked head row is the stronger guarantee, and a check a row would halve the speed.
CREATE TABLE mingpai.events (
  game          text NOT NULL,
  seq           integer NOT NULL,
  body          bytea NOT NULL,    -- canonical JSON: these bytes are what is hashed
  public_digest bytea NOT NULL CHECK (octet_length(public_digest) = 32),
  salt          bytea NOT NULL CHECK (octet_length(salt) = 16),
  leaf          bytea NOT NULL,
  head          bytea NOT NULL,
  type          text NOT NULL,
  hand          bigint,            -- the format allows 32 bits without a sign
  seat          smallint,
  at            text NOT NULL,
  recorded_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  xid           xid8 NOT NULL DEFAULT pg_current_xact_id(),  -- with position: reading in commit order
  position      bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (game, seq)
);

-- Where an ingest puts events by COPY, for ingest_events to check and move within the same transaction. A batch is
-- whatever its transaction staged: the caller cannot name another, for it may not write that column.
-- The deferred foreign key lets no row outlive its transaction: at commit, a row that was not moved misses its parent.
CREATE UNLOGGED TABLE mingpai.lasting_batches (
  batch xid8 PRIMARY KEY CHECK (false)  -- none lasts
);

CREATE UNLOGGED TABLE mingpai.staged_events (
  batch         xid8 NOT NULL DEFAULT pg_current_xact_id()
                REFERENCES mingpai.lasting_batches DEFERRABLE INITIALLY DEFERRED,
  seq           integer NOT NULL,
  body          bytea NOT NULL,
  public_digest bytea NOT NULL,
  salt          bytea NOT NULL,
  PRIMARY KEY (batch, seq)
) WITH (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE mingpai.idempotency (
  game        text NOT NULL REFERENCES mingpai.games,
  key         text NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 255),
  digest      bytea NOT NULL,
  first_seq   integer NOT NULL,
  last_seq    integer NOT NULL,
  head        bytea NOT NULL,
  recorded_at timestamptz NOT NULL,
  PRIMARY KEY (game, key)
);

CREATE TABLE mingpai.audits (
  game       text NOT NULL REFERENCES mingpai.games,
  engine     text NOT NULL,
  upto_seq   integer NOT NULL,  -- last event that was audited
  verdict    text NOT NULL CHECK (verdict IN ('clean', 'violations', 'incomplete', 'unreadable')),
  report     text NOT NULL,     -- JSON, kept as it was written
  audited_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (game, engine)
);

CREATE TABLE mingpai.audit_hands (
  game       text NOT NULL,
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
  game     text NOT NULL,
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

CREATE TYPE mingpai.appended AS (game text, seq integer, head bytea, recorded_at timestamptz);
CREATE TYPE mingpai.ingested AS (game text, seq integer, head bytea, recorded_at timestamptz, skipped integer);

-- Events are never changed: by rights, and by triggers that fire in every replication role.

CREATE FUNCTION mingpai.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'MP010', MESSAGE = format('%s of stored events is refused', lower(TG_OP));
END $$;

CREATE TRIGGER events_row_stays BEFORE UPDATE OR DELETE ON mingpai.events
  FOR EACH ROW EXECUTE FUNCTION mingpai.refuse_change();
CREATE TRIGGER events_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON mingpai.events
  FOR EACH STATEMENT EXECUTE FUNCTION mingpai.refuse_change();
ALTER TABLE mingpai.events ENABLE ALWAYS TRIGGER events_row_stays;
ALTER TABLE mingpai.events ENABLE ALWAYS TRIGGER events_stay;

-- Parts of the three functions that append.

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

-- What an earlier append under the same key returned; NULL if there was none.
CREATE FUNCTION mingpai.earlier(p_head mingpai.game_heads, p_key text, p_digest bytea)
RETURNS mingpai.appended LANGUAGE plpgsql AS $$
DECLARE
  v_row mingpai.idempotency;
BEGIN
  SELECT * INTO v_row FROM mingpai.idempotency i WHERE i.game = p_head.game AND i.key = p_key;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF v_row.digest <> p_digest THEN
    PERFORM mingpai.refuse('MP002', format('key %s was used for other events', p_key), p_head, v_row.first_seq);
  END IF;
  RETURN (v_row.game, v_row.last_seq, v_row.head, v_row.recorded_at)::mingpai.appended;
END $$;

-- Lengths go in as well, so that two ways to cut the same bytes differ.
CREATE FUNCTION mingpai.content_digest(p_bodies bytea[]) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(string_agg(int4send(octet_length(b)) || b, ''::bytea ORDER BY n))
  FROM unnest(p_bodies) WITH ORDINALITY AS x(b, n)
$$;

-- An event to read columns off. jsonb refuses the escape \u0000, which free members may hold: it sees U+FFFD there.
CREATE FUNCTION mingpai.parsed(p_text text) RETURNS jsonb LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN strpos(p_text, '\u0000') = 0 THEN p_text
              ELSE regexp_replace(p_text, '(?<!\\)((?:\\\\)*)\\u0000', '\1\\ufffd', 'g') END::jsonb;

-- Makes the rows of a game from its first event; false if the game is there.
CREATE FUNCTION mingpai.create_game(
  p_game text, p_ruleset_digest bytea, p_secret bytea, p_names text[], p_body bytea, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_event jsonb := mingpai.parsed(convert_from(p_body, 'UTF8'));
  v_head  mingpai.game_heads := (p_game, 0, decode(repeat('00', 32), 'hex'), p_now);
BEGIN
  IF v_event ->> 'type' IS DISTINCT FROM 'game_started' OR v_event ->> 'game' IS DISTINCT FROM p_game THEN
    PERFORM mingpai.refuse('MP007', 'the first event is not the start of this game', v_head, 0);
  END IF;
  IF EXISTS (SELECT FROM jsonb_array_elements(v_event -> 'seats') s WHERE s -> 'name' IS NOT NULL) THEN
    PERFORM mingpai.refuse('MP007', 'names are kept apart from the events', v_head, 0);
  END IF;
  INSERT INTO mingpai.games (
    game, ruleset_id, ruleset_version, options, ruleset_digest, players, started_at, opened_at
  ) VALUES (
    p_game, v_event -> 'ruleset' ->> 'id', v_event -> 'ruleset' ->> 'version',
    coalesce(v_event -> 'ruleset' -> 'options', '{}'), p_ruleset_digest,
    ARRAY(SELECT s ->> 'player' FROM jsonb_array_elements(v_event -> 'seats') s),
    v_event ->> 'at', p_now
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

-- Appends to a game whose head is locked: leaves, heads, rows, and the head row; returns the new head.
CREATE FUNCTION mingpai.extend(
  p_head mingpai.game_heads, p_bodies bytea[], p_publics bytea[], p_salts bytea[], p_now timestamptz
) RETURNS mingpai.game_heads LANGUAGE plpgsql AS $$
DECLARE
  v_count  integer := cardinality(p_bodies);
  v_game   mingpai.games;
  v_head   mingpai.game_heads := p_head;
  v_event  jsonb;
  v_events jsonb[];
  v_leaf   bytea;
  v_chain  bytea := p_head.head;
  v_leaves bytea[];
  v_heads  bytea[];
BEGIN
  SELECT * INTO v_game FROM mingpai.games g WHERE g.game = p_head.game;
  IF v_game.sealed_at IS NOT NULL THEN
    PERFORM mingpai.refuse('MP004', format('game %s is sealed', p_head.game), p_head);
  ELSIF v_game.status <> 'open' THEN
    PERFORM mingpai.refuse('MP003', format('game %s has ended', p_head.game), p_head);
  END IF;
  IF v_count = 0 OR cardinality(p_publics) <> v_count OR cardinality(p_salts) <> v_count THEN
    PERFORM mingpai.refuse('MP007', 'as many digests and salts as events are needed, and at least one event', p_head);
  END IF;
  FOR i IN 1 .. v_count LOOP
    v_event := mingpai.parsed(convert_from(p_bodies[i], 'UTF8'));
    IF v_event -> 'seq' IS DISTINCT FROM to_jsonb(p_head.next_seq + i - 1) THEN
      PERFORM mingpai.refuse('MP007', 'an event names another seq than its place', p_head, p_head.next_seq + i - 1);
    END IF;
    v_leaf := sha256('\x00'::bytea || p_publics[i] || sha256(p_salts[i] || p_bodies[i]));
    v_chain := sha256('\x02'::bytea || v_chain || v_leaf);
    v_events[i] := v_event;
    v_leaves[i] := v_leaf;
    v_heads[i] := v_chain;
    IF v_event ->> 'type' = 'game_ended' THEN
      IF i < v_count THEN
        PERFORM mingpai.refuse('MP007', 'nothing follows the end of a game', p_head, p_head.next_seq + i);
      END IF;
      UPDATE mingpai.games SET status = coalesce(v_event ->> 'reason', 'finished'), closed_at = p_now
        WHERE game = p_head.game;
    END IF;
  END LOOP;
  INSERT INTO mingpai.events (game, seq, body, public_digest, salt, leaf, head, type, hand, seat, at, recorded_at)
    SELECT p_head.game, p_head.next_seq + n - 1, x.body, x.public, x.salt, x.leaf, x.head,
           j ->> 'type', (j ->> 'hand')::bigint, (j ->> 'seat')::smallint, j ->> 'at', p_now
    FROM unnest(p_bodies, p_publics, p_salts, v_leaves, v_heads, v_events)
           WITH ORDINALITY AS x(body, public, salt, leaf, head, j, n);
  v_head.next_seq := p_head.next_seq + v_count;
  v_head.head := v_chain;
  v_head.updated_at := p_now;
  UPDATE mingpai.game_heads SET next_seq = v_head.next_seq, head = v_head.head, updated_at = v_head.updated_at
    WHERE game = p_head.game;
  RETURN v_head;
END $$;

CREATE FUNCTION mingpai.remember(p_key text, p_digest bytea, p_first integer, p_head mingpai.game_heads)
RETURNS mingpai.appended LANGUAGE plpgsql AS $$
BEGIN
  IF p_key IS NOT NULL THEN
    INSERT INTO mingpai.idempotency
      VALUES (p_head.game, p_key, p_digest, p_first, p_head.next_seq - 1, p_head.head, p_head.updated_at);
  END IF;
  RETURN (p_head.game, p_head.next_seq - 1, p_head.head, p_head.updated_at)::mingpai.appended;
END $$;

-- The interface: what the application may call. Times are read after the lock is held, so they follow the chain.

CREATE FUNCTION mingpai.open_game(
  p_game text, p_key text, p_ruleset_digest bytea, p_secret bytea, p_names text[],
  p_body bytea, p_public bytea, p_salt bytea
) RETURNS mingpai.appended LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_digest  bytea := mingpai.content_digest(ARRAY[p_body]);
  v_created boolean := mingpai.create_game(p_game, p_ruleset_digest, p_secret, p_names, p_body, clock_timestamp());
  v_head    mingpai.game_heads := mingpai.lock_head(p_game);
  v_earlier mingpai.appended;
BEGIN
  IF NOT v_created THEN
    v_earlier := mingpai.earlier(v_head, p_key, v_digest);
    IF v_earlier.game IS NULL THEN
      PERFORM mingpai.refuse('MP005', format('game %s exists', p_game), v_head);
    END IF;
    RETURN v_earlier;
  END IF;
  v_head := mingpai.extend(v_head, ARRAY[p_body], ARRAY[p_public], ARRAY[p_salt], clock_timestamp());
  RETURN mingpai.remember(p_key, v_digest, 0, v_head);
END $$;

CREATE FUNCTION mingpai.append_events(
  p_game text, p_expected_seq integer, p_key text, p_bodies bytea[], p_publics bytea[], p_salts bytea[]
) RETURNS mingpai.appended LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_digest  bytea := mingpai.content_digest(p_bodies);
  v_head    mingpai.game_heads := mingpai.lock_head(p_game);
  v_earlier mingpai.appended := mingpai.earlier(v_head, p_key, v_digest);
BEGIN
  IF v_earlier.game IS NOT NULL THEN
    RETURN v_earlier;
  END IF;
  IF v_head.next_seq IS DISTINCT FROM p_expected_seq THEN
    PERFORM mingpai.refuse('MP001', format('game %s goes on at seq %s', p_game, v_head.next_seq), v_head);
  END IF;
  v_head := mingpai.extend(v_head, p_bodies, p_publics, p_salts, clock_timestamp());
  RETURN mingpai.remember(p_key, v_digest, p_expected_seq, v_head);
END $$;

-- The events that this transaction staged: those that are stored must be the same bytes and are skipped, the others
-- are appended. The staging table is mostly dead rows between two vacuums, so a plan must never walk through it.
CREATE FUNCTION mingpai.ingest_events(
  p_game text, p_ruleset_digest bytea, p_secret bytea, p_names text[]
) RETURNS mingpai.ingested
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
DECLARE
  v_first   integer;
  v_last    integer;
  v_bodies  bytea[];
  v_publics bytea[];
  v_salts   bytea[];
  v_created boolean;
  v_head    mingpai.game_heads;
  v_stored  integer;
  v_differs integer;
BEGIN
  WITH taken AS (
    DELETE FROM mingpai.staged_events s WHERE s.batch = pg_current_xact_id() RETURNING s.*
  )
  SELECT min(t.seq), max(t.seq), array_agg(t.body ORDER BY t.seq), array_agg(t.public_digest ORDER BY t.seq),
         array_agg(t.salt ORDER BY t.seq)
    INTO v_first, v_last, v_bodies, v_publics, v_salts FROM taken t;
  v_head.game := p_game;
  IF v_last - v_first + 1 IS DISTINCT FROM cardinality(v_bodies) OR v_first IS NULL THEN
    PERFORM mingpai.refuse('MP007', 'the staged events are not a run without gaps, or there are none', v_head);
  END IF;
  v_created := v_first = 0 AND mingpai.create_game(
    p_game, p_ruleset_digest, p_secret, p_names, v_bodies[1], clock_timestamp());
  v_head := mingpai.lock_head(p_game);
  v_stored := least(v_head.next_seq - v_first, cardinality(v_bodies));
  IF v_stored < 0 THEN
    PERFORM mingpai.refuse('MP001', format('game %s goes on at seq %s', p_game, v_head.next_seq), v_head);
  END IF;
  SELECT min(e.seq) INTO v_differs
    FROM unnest(v_bodies[:v_stored]) WITH ORDINALITY AS x(body, n)
    JOIN mingpai.events e ON e.game = p_game AND e.seq = v_first + n - 1
    WHERE e.body <> x.body;
  IF v_differs IS NOT NULL THEN
    PERFORM mingpai.refuse('MP008', format('event %s of game %s is stored with another content', v_differs, p_game),
                           v_head, v_differs);
  END IF;
  IF v_stored < cardinality(v_bodies) THEN
    IF NOT v_created AND NOT EXISTS (
      SELECT FROM mingpai.game_secrets s WHERE s.game = p_game AND s.secret = p_secret
    ) THEN
      PERFORM mingpai.refuse('MP009', format('game %s has another secret', p_game), v_head);
    END IF;
    v_head := mingpai.extend(
      v_head, v_bodies[v_stored + 1:], v_publics[v_stored + 1:], v_salts[v_stored + 1:], clock_timestamp());
  END IF;
  RETURN (p_game, v_head.next_seq - 1, v_head.head, v_head.updated_at, v_stored)::mingpai.ingested;
END $$;

-- After this, appends are refused as `sealed`. Doing it twice is harmless.
CREATE FUNCTION mingpai.mark_sealed(p_game text) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_head mingpai.game_heads := mingpai.lock_head(p_game);
  v_time timestamptz;
BEGIN
  UPDATE mingpai.games g SET sealed_at = coalesce(g.sealed_at, clock_timestamp())
    WHERE g.game = p_game AND g.status <> 'open' RETURNING g.sealed_at INTO v_time;
  IF NOT FOUND THEN
    PERFORM mingpai.refuse('MP011', format('game %s has not ended', p_game), v_head);
  END IF;
  RETURN v_time;
END $$;

-- Rights.

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA mingpai FROM PUBLIC;
GRANT USAGE ON SCHEMA mingpai TO mingpai_ledger, mingpai_application, mingpai_reader;

GRANT SELECT, INSERT, UPDATE ON mingpai.games, mingpai.game_heads TO mingpai_ledger;
GRANT SELECT, INSERT ON mingpai.game_secrets, mingpai.idempotency TO mingpai_ledger;
GRANT INSERT ON mingpai.seat_names TO mingpai_ledger;

GRANT SELECT ON ALL TABLES IN SCHEMA mingpai TO mingpai_application;
REVOKE SELECT ON mingpai.staged_events, mingpai.lasting_batches FROM mingpai_application;
GRANT INSERT (seq, body, public_digest, salt) ON mingpai.staged_events TO mingpai_application;
GRANT INSERT, UPDATE, DELETE ON mingpai.audits, mingpai.audit_hands, mingpai.findings TO mingpai_application;
GRANT DELETE ON mingpai.seat_names TO mingpai_application;
GRANT EXECUTE ON FUNCTION mingpai.open_game, mingpai.append_events, mingpai.ingest_events, mingpai.mark_sealed
  TO mingpai_application;

GRANT SELECT ON mingpai.alembic_version, mingpai.games, mingpai.game_heads, mingpai.events, mingpai.audits,
  mingpai.audit_hands, mingpai.findings TO mingpai_reader;

-- Giving something away needs the new owner's right to create here, for that moment only.
GRANT CREATE ON SCHEMA mingpai TO mingpai_ledger;
ALTER TABLE mingpai.events OWNER TO mingpai_ledger;
ALTER TABLE mingpai.lasting_batches OWNER TO mingpai_ledger;
ALTER TABLE mingpai.staged_events OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.refuse OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.lock_head OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.earlier OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.content_digest OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.parsed OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.create_game OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.extend OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.remember OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.open_game OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.append_events OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.ingest_events OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.mark_sealed OWNER TO mingpai_ledger;
REVOKE CREATE ON SCHEMA mingpai FROM mingpai_ledger;
REVOKE UPDATE, DELETE, TRUNCATE ON mingpai.events FROM mingpai_ledger;
