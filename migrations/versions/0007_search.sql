-- Revision 0007: what games, hands and players are searched by. All of it is read off the rows of games and audits,
-- kept by triggers in the same transaction, and made anew by rebuild_search(): nothing here is a fact of its own.

-- One row a game: its start, and what its newest audit says, whichever engine made that.
CREATE TABLE mingpai.search_games (
  game        text COLLATE "C" PRIMARY KEY REFERENCES mingpai.games,
  started_at  text COLLATE "C" NOT NULL, -- the log writes times in one form only, so that texts are in their order
  engine      text,                      -- of the newest audit; NULL where there is none yet
  upto_seq    integer,
  verdict     text,
  findings    text[] NOT NULL DEFAULT '{}', -- of each finding: its clause, its severity, and both with a space between
  wins        text[] NOT NULL DEFAULT '{}', -- the ways by which hands were won
  swing       bigint NOT NULL DEFAULT 0,    -- the most points that a seat won or lost in one hand
  total_swing bigint NOT NULL DEFAULT 0     -- the most that a seat won or lost over all hands
);
CREATE INDEX ix_search_games_started ON mingpai.search_games (started_at);
CREATE INDEX ix_search_games_verdict ON mingpai.search_games (verdict);
CREATE INDEX ix_search_games_findings ON mingpai.search_games USING gin (findings);
CREATE INDEX ix_search_games_wins ON mingpai.search_games USING gin (wins);
CREATE INDEX ix_search_games_swing ON mingpai.search_games (swing);
CREATE INDEX ix_search_games_total_swing ON mingpai.search_games (total_swing);

-- One row a finished hand of the newest audit.
CREATE TABLE mingpai.search_hands (
  game      text COLLATE "C" NOT NULL REFERENCES mingpai.games,
  hand      bigint NOT NULL,
  opened_at timestamptz NOT NULL,  -- the game's
  winner    smallint,
  player    text COLLATE "C",      -- who sits at the winner's seat
  win       text,
  factor    bigint,
  swing     bigint NOT NULL,
  document  jsonb NOT NULL,        -- the hand as the report has it
  PRIMARY KEY (game, hand)
);
CREATE INDEX ix_search_hands_place ON mingpai.search_hands (opened_at, game, hand);
CREATE INDEX ix_search_hands_player ON mingpai.search_hands (player, opened_at, game, hand);
CREATE INDEX ix_search_hands_win ON mingpai.search_hands (win, opened_at, game, hand);
CREATE INDEX ix_search_hands_swing ON mingpai.search_hands (swing);

-- Who ever sat at a table. A row a game: two that open games with the same players do not wait for each other.
CREATE TABLE mingpai.search_players (
  player text COLLATE "C" NOT NULL,
  game   text COLLATE "C" NOT NULL REFERENCES mingpai.games,
  PRIMARY KEY (player, game)
);

CREATE INDEX ix_games_ruleset ON mingpai.games (ruleset_id, opened_at, game);
-- Players are found by the beginning of a name as well.
CREATE INDEX ix_seat_names_name ON mingpai.seat_names (name text_pattern_ops);

CREATE FUNCTION mingpai.search_game(p_game mingpai.games) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO mingpai.search_games (game, started_at) VALUES (p_game.game, p_game.started_at) ON CONFLICT DO NOTHING;
  INSERT INTO mingpai.search_players
    SELECT DISTINCT x.player, p_game.game FROM unnest(p_game.players) AS x(player)
    ON CONFLICT DO NOTHING;
END $$;

-- A member of a report that may be left out, or be null.
CREATE FUNCTION mingpai.listed(p_member jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN jsonb_typeof(p_member) = 'array' THEN p_member ELSE '[]' END;

-- Puts what the newest audit of a game says in place of what an earlier one said. Whoever audits the same game at the
-- same time waits at the game's row, and sees afterwards what the other has stored.
CREATE FUNCTION mingpai.search_audit(p_game text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_game   mingpai.games;
  v_audit  mingpai.audits;
  v_report jsonb;
BEGIN
  PERFORM FROM mingpai.search_games s WHERE s.game = p_game FOR UPDATE;
  SELECT * INTO v_game FROM mingpai.games g WHERE g.game = p_game;
  SELECT * INTO v_audit FROM mingpai.audits a WHERE a.game = p_game ORDER BY a.audited_at DESC, a.engine DESC LIMIT 1;
  v_report := mingpai.without_zeros(v_audit.report)::jsonb;
  DELETE FROM mingpai.search_hands h WHERE h.game = p_game;
  INSERT INTO mingpai.search_hands
    SELECT p_game, (d ->> 'hand')::bigint, v_game.opened_at, (d ->> 'winner')::smallint,
           v_game.players[(d ->> 'winner')::integer + 1], d ->> 'win', (d ->> 'factor')::bigint,
           coalesce((
             SELECT max(abs(x.points::bigint))
             FROM jsonb_array_elements_text(mingpai.listed(d -> 'deltas')) AS x(points)), 0),
           d
    FROM jsonb_array_elements(mingpai.listed(v_report -> 'hands')) AS y(d)
    ON CONFLICT DO NOTHING;
  UPDATE mingpai.search_games s SET
    engine = v_audit.engine, upto_seq = v_audit.upto_seq, verdict = v_audit.verdict,
    findings = ARRAY(
      SELECT DISTINCT word FROM jsonb_array_elements(mingpai.listed(v_report -> 'findings')) AS y(d),
        unnest(ARRAY[d ->> 'clause', d ->> 'severity', (d ->> 'severity') || ' ' || (d ->> 'clause')]) AS word
      WHERE word IS NOT NULL ORDER BY word),
    wins = ARRAY(
      SELECT DISTINCT h.win FROM mingpai.search_hands h WHERE h.game = p_game AND h.win IS NOT NULL ORDER BY h.win),
    swing = coalesce((SELECT max(h.swing) FROM mingpai.search_hands h WHERE h.game = p_game), 0),
    total_swing = coalesce((
      SELECT least(max(abs(t.total)), 9007199254740991) FROM ( -- 2^53 - 1: more than that nobody can ask for
        SELECT sum(x.points::bigint) AS total
        FROM mingpai.search_hands h,
          jsonb_array_elements_text(mingpai.listed(h.document -> 'deltas')) WITH ORDINALITY AS x(points, seat)
        WHERE h.game = p_game GROUP BY x.seat) t), 0)
    WHERE s.game = p_game;
END $$;

CREATE FUNCTION mingpai.note_game() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM mingpai.search_game(NEW);
  RETURN NULL;
END $$;

CREATE FUNCTION mingpai.note_audit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM mingpai.search_audit(coalesce(NEW.game, OLD.game));
  RETURN NULL;
END $$;

-- Makes all of it anew: the same rows as before, unless somebody has changed them.
CREATE FUNCTION mingpai.rebuild_search() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM mingpai.search_hands;
  DELETE FROM mingpai.search_games;
  DELETE FROM mingpai.search_players;
  PERFORM mingpai.search_game(g) FROM mingpai.games g ORDER BY g.opened_at, g.game;
  PERFORM mingpai.search_audit(a.game) FROM (SELECT DISTINCT game FROM mingpai.audits) a;
END $$;

CREATE TRIGGER noted_for_search AFTER INSERT ON mingpai.games
  FOR EACH ROW EXECUTE FUNCTION mingpai.note_game();
CREATE TRIGGER noted_for_search AFTER INSERT OR UPDATE OR DELETE ON mingpai.audits
  FOR EACH ROW EXECUTE FUNCTION mingpai.note_audit();

-- Rights: the application reads, the triggers write.

REVOKE ALL ON FUNCTION mingpai.listed, mingpai.search_game, mingpai.search_audit, mingpai.note_game, mingpai.note_audit,
  mingpai.rebuild_search FROM PUBLIC;
GRANT SELECT ON mingpai.audits TO mingpai_ledger;
GRANT SELECT ON mingpai.search_games, mingpai.search_hands, mingpai.search_players
  TO mingpai_application, mingpai_reader;
GRANT EXECUTE ON FUNCTION mingpai.rebuild_search TO mingpai_application;

GRANT CREATE ON SCHEMA mingpai TO mingpai_ledger;
ALTER TABLE mingpai.search_games OWNER TO mingpai_ledger;
ALTER TABLE mingpai.search_hands OWNER TO mingpai_ledger;
ALTER TABLE mingpai.search_players OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.listed OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.search_game OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.search_audit OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.note_game OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.note_audit OWNER TO mingpai_ledger;
ALTER FUNCTION mingpai.rebuild_search OWNER TO mingpai_ledger;
REVOKE CREATE ON SCHEMA mingpai FROM mingpai_ledger;

SELECT mingpai.rebuild_search();
