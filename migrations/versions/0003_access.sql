-- Revision 0003: principals, keys and sessions. Of secrets only their SHA-256 is here.

-- A person or a game server. None ever goes: what they did stays on record under their ids.
CREATE TABLE mingpai.principals (
  principal   text COLLATE "C" PRIMARY KEY,
  kind        text NOT NULL CHECK (kind IN ('person', 'server')),
  label       text NOT NULL,
  player      text COLLATE "C", -- the id under which this person sits at tables
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_by  text COLLATE "C", -- NULL: by command, or at the first sight of an identity
  disabled_at timestamptz,
  CHECK (kind = 'person' OR player IS NULL)
);
-- One player is one person: persons are compared where four eyes are asked for.
CREATE UNIQUE INDEX ix_principals_player ON mingpai.principals (player);
CREATE INDEX ix_principals_created ON mingpai.principals (created_at, principal);

-- Who a person is to the identity provider (OpenID Connect).
CREATE TABLE mingpai.identities (
  issuer        text COLLATE "C",
  subject       text COLLATE "C",
  principal     text COLLATE "C" NOT NULL REFERENCES mingpai.principals,
  linked_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  linked_by     text COLLATE "C", -- NULL: at its first sight
  PRIMARY KEY (issuer, subject)
);

-- A key dies with each of those that it was made with: what a stolen key made is gone with it.
CREATE TABLE mingpai.access_keys (
  key          text COLLATE "C" PRIMARY KEY,
  principal    text COLLATE "C" NOT NULL REFERENCES mingpai.principals,
  digest       bytea NOT NULL CHECK (length(digest) = 32),
  roles        text[] NOT NULL
    CHECK (roles <> '{}' AND roles <@ ARRAY['server', 'player', 'clerk', 'auditor', 'analyst', 'admin']
           AND (roles = '{server}' OR NOT 'server' = ANY (roles))),
  label        text NOT NULL,
  made_with    text[] COLLATE "C" NOT NULL DEFAULT '{}',
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_by   text COLLATE "C", -- NULL: by command
  expires_at   timestamptz,
  revoked_at   timestamptz,
  revoked_by   text COLLATE "C",
  last_used_at timestamptz
);
CREATE INDEX ix_access_keys_created ON mingpai.access_keys (created_at, key);
CREATE INDEX ix_access_keys_principal ON mingpai.access_keys (principal, created_at, key);

-- A browser that is signed in: by a key, with which the session dies, or by an identity, with the roles of its token.
CREATE TABLE mingpai.sessions (
  session      text COLLATE "C" PRIMARY KEY,
  digest       bytea NOT NULL CHECK (length(digest) = 32),
  principal    text COLLATE "C" NOT NULL REFERENCES mingpai.principals,
  key          text COLLATE "C" REFERENCES mingpai.access_keys,
  roles        text[] NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at   timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX ix_sessions_expires ON mingpai.sessions (expires_at);

-- The keys that open something now: the one place that says so.
CREATE VIEW mingpai.good_keys AS
SELECT k.key, k.digest, k.principal, k.roles, k.made_with, k.expires_at, k.last_used_at, p.player
FROM mingpai.access_keys k
JOIN mingpai.principals p USING (principal)
WHERE p.disabled_at IS NULL
  AND k.revoked_at IS NULL
  AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())
  AND NOT EXISTS (SELECT FROM mingpai.access_keys older
                  WHERE older.key = ANY (k.made_with) AND older.revoked_at IS NOT NULL);

-- What is revoked stays revoked.
CREATE TRIGGER revoked_stays BEFORE UPDATE ON mingpai.access_keys FOR EACH ROW
  WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
  EXECUTE FUNCTION mingpai.refuse_change();
ALTER TABLE mingpai.access_keys ENABLE ALWAYS TRIGGER revoked_stays;

-- Rights. Nobody who serves can change whose a key is, its roles or its end.

GRANT SELECT ON mingpai.principals, mingpai.identities, mingpai.access_keys, mingpai.sessions, mingpai.good_keys
  TO mingpai_application;
GRANT INSERT (principal, kind, label, player, created_by), UPDATE (label, player, disabled_at)
  ON mingpai.principals TO mingpai_application;
GRANT INSERT (issuer, subject, principal, linked_by) ON mingpai.identities TO mingpai_application;
GRANT INSERT (key, principal, digest, roles, label, made_with, created_by, expires_at),
      UPDATE (revoked_at, revoked_by, last_used_at)
  ON mingpai.access_keys TO mingpai_application;
GRANT INSERT (session, digest, principal, key, roles, expires_at), UPDATE (last_used_at), DELETE
  ON mingpai.sessions TO mingpai_application;
