-- Revision 0005: audits of games that go on, leases of those who make them, and findings in the order in which they came.

-- Audits of all events of games that go on, hands under way included: they tell what only the game's own server may
-- know. What others may know stands in `audits`.
CREATE TABLE mingpai.live_audits (
  game        text COLLATE "C" NOT NULL REFERENCES mingpai.games,
  seq         integer NOT NULL,  -- last event that was audited
  engine      text NOT NULL,
  verdict     text NOT NULL CHECK (verdict IN ('clean', 'violations', 'incomplete', 'unreadable')),
  report      text NOT NULL,     -- JSON, kept as it was written
  is_hand_end boolean NOT NULL,  -- kept for good; of the others only the newest stays
  audited_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (game, seq, engine)
);

-- How far the appends of all games have been noted as work. One row.
CREATE TABLE mingpai.live_cursor (
  one      boolean PRIMARY KEY DEFAULT true CHECK (one),
  position bigint NOT NULL
);
INSERT INTO mingpai.live_cursor (position) VALUES (0);

-- What is to be audited, and by whom. The token grows whenever another holder takes over: a result is stored only
-- under the token it was worked out with. A game that has ended and is audited leaves the table.
CREATE TABLE mingpai.live_leases (
  game        text COLLATE "C" PRIMARY KEY REFERENCES mingpai.games,
  due_seq     integer NOT NULL,             -- last event that is known of
  audited_seq integer NOT NULL DEFAULT -1,  -- last event that was audited
  due_since   timestamptz,                  -- when the oldest append came in that waits; NULL where none does
  holder      text,
  token       bigint NOT NULL DEFAULT 0,
  expires_at  timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);
CREATE INDEX ix_live_leases_due ON mingpai.live_leases (due_since) WHERE due_since IS NOT NULL;

-- Every finding that `findings` ever held, once, in the order in which they were committed: for readers that follow.
CREATE TABLE mingpai.found_findings (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  game     text COLLATE "C" NOT NULL REFERENCES mingpai.games,
  engine   text NOT NULL,
  digest   bytea NOT NULL,  -- SHA-256 over what follows
  seq      integer,
  hand     bigint,
  seat     smallint,
  clause   text NOT NULL,
  code     text NOT NULL,
  severity text NOT NULL,
  expected jsonb,
  recorded jsonb,
  also     text[] NOT NULL,
  found_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (game, engine, digest)
);

CREATE TRIGGER row_stays BEFORE UPDATE OR DELETE ON mingpai.found_findings
  FOR EACH ROW EXECUTE FUNCTION mingpai.refuse_change();
CREATE TRIGGER rows_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON mingpai.found_findings
  FOR EACH STATEMENT EXECUTE FUNCTION mingpai.refuse_change();
ALTER TABLE mingpai.found_findings ENABLE ALWAYS TRIGGER row_stays, ENABLE ALWAYS TRIGGER rows_stay;

-- An audit that is made again replaces its findings; only those that were not there before are news. Who has news holds
-- the lock from before it takes its position until it has committed, so positions are seen in their order.
CREATE FUNCTION mingpai.note_found() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_digest bytea := sha256(convert_to(jsonb_build_array(
    NEW.seq, NEW.hand, NEW.seat, NEW.clause, NEW.code, NEW.severity, NEW.expected, NEW.recorded, NEW.also)::text, 'UTF8'));
BEGIN
  IF EXISTS (
    SELECT FROM mingpai.found_findings f WHERE f.game = NEW.game AND f.engine = NEW.engine AND f.digest = v_digest
  ) THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock(x'4d46'::bigint << 48);  -- ASCII "MF"
  INSERT INTO mingpai.found_findings
    (game, engine, digest, seq, hand, seat, clause, code, severity, expected, recorded, also)
    VALUES (NEW.game, NEW.engine, v_digest, NEW.seq, NEW.hand, NEW.seat, NEW.clause, NEW.code, NEW.severity,
            NEW.expected, NEW.recorded, NEW.also)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER found AFTER INSERT ON mingpai.findings FOR EACH ROW EXECUTE FUNCTION mingpai.note_found();

-- What was found before this revision.
INSERT INTO mingpai.found_findings
  (game, engine, digest, seq, hand, seat, clause, code, severity, expected, recorded, also)
  SELECT f.game, f.engine, sha256(convert_to(jsonb_build_array(
    f.seq, f.hand, f.seat, f.clause, f.code, f.severity, f.expected, f.recorded, f.also)::text, 'UTF8')),
    f.seq, f.hand, f.seat, f.clause, f.code, f.severity, f.expected, f.recorded, f.also
  FROM mingpai.findings f ORDER BY f.game, f.engine, f.ordinal
  ON CONFLICT DO NOTHING;

-- Rights.

REVOKE ALL ON FUNCTION mingpai.note_found FROM PUBLIC;
GRANT SELECT, INSERT ON mingpai.found_findings TO mingpai_ledger;
GRANT SELECT, INSERT, UPDATE, DELETE ON mingpai.live_audits, mingpai.live_leases TO mingpai_application;
GRANT SELECT, UPDATE ON mingpai.live_cursor TO mingpai_application;
GRANT SELECT ON mingpai.found_findings TO mingpai_application, mingpai_reader;

GRANT CREATE ON SCHEMA mingpai TO mingpai_ledger;
ALTER FUNCTION mingpai.note_found OWNER TO mingpai_ledger;
REVOKE CREATE ON SCHEMA mingpai FROM mingpai_ledger;
