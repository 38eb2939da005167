-- Revision 0002: whose games are, which of them are public, and who of the staff read hidden tiles.

-- The game server that opened a game through the API. A game without one came in by command and is the staff's alone.
CREATE TABLE mingpai.game_owners (
  game      text COLLATE "C" PRIMARY KEY REFERENCES mingpai.games,
  principal text NOT NULL
);
CREATE INDEX ix_game_owners_principal ON mingpai.game_owners (principal, game);

-- Sealed games that the platform shows to everybody.
CREATE TABLE mingpai.published_games (
  game         text COLLATE "C" PRIMARY KEY REFERENCES mingpai.games,
  principal    text NOT NULL, -- who opened it to the public
  published_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Readings of hidden information by staff: written before the answer goes out, never changed.
CREATE TABLE mingpai.hidden_reads (
  position  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  read_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  principal text NOT NULL,
  key       text,
  request   text,
  what      text NOT NULL,    -- events, state, acts, audit, findings, bundle, export …
  game      text COLLATE "C", -- NULL where it is not one game
  first_seq integer,
  last_seq  integer
);
CREATE INDEX ix_hidden_reads_game ON mingpai.hidden_reads (game, position);
CREATE INDEX ix_hidden_reads_principal ON mingpai.hidden_reads (principal, position);

CREATE TRIGGER row_stays BEFORE UPDATE OR DELETE ON mingpai.hidden_reads
  FOR EACH ROW EXECUTE FUNCTION mingpai.refuse_change();
CREATE TRIGGER rows_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON mingpai.hidden_reads
  FOR EACH STATEMENT EXECUTE FUNCTION mingpai.refuse_change();
ALTER TABLE mingpai.hidden_reads ENABLE ALWAYS TRIGGER row_stays, ENABLE ALWAYS TRIGGER rows_stay;

-- As open_game, for a game server that owns what it opens: in one transaction, so no game is left without its owner.
-- The same call again returns the first result; another server's call meets a game that exists.
CREATE FUNCTION mingpai.open_owned_game(
  p_principal text, p_game text, p_key text, p_ruleset_digest bytea, p_secret bytea, p_names text[],
  p_body bytea, p_public bytea, p_salt bytea
) RETURNS mingpai.appended LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_is_new boolean := NOT EXISTS (SELECT FROM mingpai.games g WHERE g.game = p_game);
  v_done   mingpai.appended;
BEGIN
  v_done := mingpai.open_game(p_game, p_key, p_ruleset_digest, p_secret, p_names, p_body, p_public, p_salt);
  IF v_is_new THEN
    INSERT INTO mingpai.game_owners VALUES (p_game, p_principal) ON CONFLICT DO NOTHING;
  END IF;
  IF NOT EXISTS (SELECT FROM mingpai.game_owners o WHERE o.game = p_game AND o.principal = p_principal) THEN
    PERFORM mingpai.refuse('MP005', format('game %s exists', p_game), mingpai.lock_head(p_game));
  END IF;
  RETURN v_done;
END $$;

-- Rights.

REVOKE ALL ON FUNCTION mingpai.open_owned_game FROM PUBLIC;
GRANT SELECT, INSERT ON mingpai.game_owners TO mingpai_ledger;
GRANT SELECT ON mingpai.game_owners, mingpai.published_games, mingpai.hidden_reads TO mingpai_application;
GRANT INSERT, DELETE ON mingpai.published_games TO mingpai_application;
GRANT INSERT (principal, key, request, what, game, first_seq, last_seq) ON mingpai.hidden_reads TO mingpai_application;
GRANT EXECUTE ON FUNCTION mingpai.open_owned_game TO mingpai_application;
GRANT SELECT ON mingpai.game_owners, mingpai.published_games TO mingpai_reader;

GRANT CREATE ON SCHEMA mingpai TO mingpai_ledger;
ALTER FUNCTION mingpai.open_owned_game OWNER TO mingpai_ledger;
REVOKE CREATE ON SCHEMA mingpai FROM mingpai_ledger;
