-- Revision 0006: exports that take long, links to bundles, and whose the games of an ingest are.

-- An export that a worker writes into a file. Workers share the jobs: whoever has the lease works, and counts as the
-- attempt of that number; after_* is the last game that lies whole in the first file_size bytes of the file.
CREATE TABLE mingpai.export_jobs (
  job             text COLLATE "C" PRIMARY KEY,
  principal       text NOT NULL,
  roles           text[] NOT NULL, -- those of the key that asked: the file holds what they may see
  key             text,
  filter          jsonb NOT NULL,
  state           text NOT NULL DEFAULT 'waiting'
                  CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled', 'expired')),
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at      timestamptz,
  finished_at     timestamptz,
  expires_at      timestamptz NOT NULL,
  attempt         integer NOT NULL DEFAULT 0,
  lease_until     timestamptz,
  total           bigint,
  games           bigint NOT NULL DEFAULT 0,
  events          bigint NOT NULL DEFAULT 0,
  file_size       bigint NOT NULL DEFAULT 0,
  after_opened_at timestamptz,
  after_game      text COLLATE "C",
  error           text
);
CREATE INDEX ix_export_jobs_created ON mingpai.export_jobs (created_at, job);
CREATE INDEX ix_export_jobs_principal ON mingpai.export_jobs (principal, created_at, job);

-- Who has the token may have the bundle; only the token's digest is kept.
CREATE TABLE mingpai.bundle_links (
  link         text COLLATE "C" PRIMARY KEY, -- names it, and opens nothing
  token_digest bytea NOT NULL UNIQUE CHECK (octet_length(token_digest) = 32),
  game         text COLLATE "C" NOT NULL REFERENCES mingpai.games,
  seat         smallint, -- NULL: the whole game
  principal    text NOT NULL,
  key          text,
  by_staff     boolean NOT NULL, -- only being staff opened the game to whoever made it
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at   timestamptz NOT NULL,
  revoked_at   timestamptz
);
CREATE INDEX ix_bundle_links_principal ON mingpai.bundle_links (principal, created_at, link);

-- Refuses a game that is there and is not the principal's; NULL stands for whoever may only touch games that no game
-- server runs. It says no more than that the game exists.
CREATE FUNCTION mingpai.refuse_foreign(p_game text, p_principal text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM mingpai.games g WHERE g.game = p_game) AND
     (SELECT o.principal FROM mingpai.game_owners o WHERE o.game = p_game) IS DISTINCT FROM p_principal THEN
    PERFORM mingpai.refuse('MP005', format('game %s exists', p_game), mingpai.lock_head(p_game));
  END IF;
END $$;

-- As ingest_events, for a sender who owns what it opens and touches nothing else. Somebody else may open the game at
-- the same moment: whatever the ledger then has against the events is not this sender's to know.
CREATE FUNCTION mingpai.ingest_owned(
  p_principal text, p_game text, p_ruleset_digest bytea, p_secret bytea, p_names text[],
  p_text_seqs integer[] DEFAULT '{}', p_text_salts bytea[] DEFAULT '{}', p_texts bytea[] DEFAULT '{}'
) RETURNS mingpai.ingested LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_is_new boolean := NOT EXISTS (SELECT FROM mingpai.games g WHERE g.game = p_game);
  v_done   mingpai.ingested;
BEGIN
  PERFORM mingpai.refuse_foreign(p_game, p_principal);
  BEGIN
    v_done := mingpai.ingest_events(
      p_game, p_ruleset_digest, p_secret, p_names, p_text_seqs, p_text_salts, p_texts);
  EXCEPTION WHEN OTHERS THEN
    PERFORM mingpai.refuse_foreign(p_game, p_principal);
    RAISE;
  END;
  IF v_is_new AND v_done.skipped = 0 AND p_principal IS NOT NULL THEN
    INSERT INTO mingpai.game_owners VALUES (p_game, p_principal) ON CONFLICT DO NOTHING;
  END IF;
  PERFORM mingpai.refuse_foreign(p_game, p_principal);
  RETURN v_done;
END $$;

-- Rights.

REVOKE ALL ON FUNCTION mingpai.refuse_foreign, mingpai.ingest_owned FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mingpai.ingest_owned TO mingpai_application;
GRANT SELECT, INSERT, UPDATE, DELETE ON mingpai.export_jobs TO mingpai_application;
GRANT SELECT, INSERT, DELETE, UPDATE (revoked_at) ON mingpai.bundle_links TO mingpai_application;

GRANT CREATE ON SCHEMA mingpai TO mingpai_ledger;
ALTER FUNCTION mingpai.refuse_foreign OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.ingest_owned OWNER TO mingpai_ledger;
REVOKE CREATE ON SCHEMA mingpai FROM mingpai_ledger;
