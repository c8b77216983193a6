import type { PostgresTables } from './schema.ts'

/** A revision to begin with that is larger than any before: microseconds, of one time in the whole statement. */
const FIRST = `(extract(epoch FROM now()) * 1000000)::bigint`

/** The statements for the tables of one schema. Each is one step of its own. */
export interface PostgresStatements {
  readonly read: string
  readonly readSeveral: string
  readonly changes: string
  readonly put: string
  readonly write: string
  readonly versionOf: string
  readonly readBlobs: string
  readonly removeTenant: string
  readonly sweepBlobs: string
  readonly forget: string
}

export function statementsFor({ blobs, tenants, heads, channel }: PostgresTables): PostgresStatements {
  /** In the order of the hashes, so that two writers of the same blobs do not wait for each other. Damaged bytes are mended. */
  const put = `INSERT INTO ${blobs} AS b (hash, bytes)
    SELECT DISTINCT ON (hash) hash, bytes FROM unnest($1::text[], $2::bytea[]) AS given (hash, bytes) ORDER BY hash
    ON CONFLICT (hash) DO UPDATE SET touched = now(),
      bytes = CASE WHEN sha256(b.bytes) = sha256(excluded.bytes) THEN b.bytes ELSE excluded.bytes END`
  return {
    read: `SELECT version, text FROM ${heads} WHERE tenant = $1 AND skill = $2 AND text IS NOT NULL`,
    readSeveral: `SELECT skill, version, text FROM ${heads} WHERE tenant = $1 AND skill = ANY($2::text[]) AND text IS NOT NULL`,
    // $2: the revision of the last call; $3: when the server was started then. One that was restored starts again.
    changes: `WITH since AS (
        SELECT revision, CASE WHEN $2::bigint BETWEEN floor AND revision AND $3 = pg_postmaster_start_time()::text
          THEN $2::bigint END AS known
        FROM ${tenants} WHERE tenant = $1)
      SELECT since.revision, since.known IS NULL AS whole, pg_postmaster_start_time()::text AS started, h.skill, h.version, h.text
      FROM since LEFT JOIN ${heads} AS h ON h.tenant = $1 AND h.revision > coalesce(since.known, -1)`,
    put,
    // $1, $2: blobs; $3: hashes of blobs that were put before; $4 to $8: tenant, skill, expected, version, text; $9: all hashes.
    // A statement that waited for another one of the same tenant compares with what that one has left.
    write: `WITH put AS (${put}),
      touched AS (UPDATE ${blobs} SET touched = now() WHERE hash = ANY($3::text[]) RETURNING 1),
      next AS (
        INSERT INTO ${tenants} AS t (tenant, revision, floor)
        SELECT $4, ${FIRST}, ${FIRST} WHERE (SELECT count(*) FROM touched) = cardinality($3::text[])
        ON CONFLICT (tenant) DO UPDATE SET revision = t.revision + 1 RETURNING revision),
      written AS (
        INSERT INTO ${heads} AS h (tenant, skill, version, text, blobs, revision)
        SELECT $4, $5, $7, $8, $9, next.revision FROM next
        WHERE $6 = '' OR EXISTS (SELECT FROM ${heads} WHERE tenant = $4 AND skill = $5)
        ON CONFLICT (tenant, skill) DO UPDATE SET version = excluded.version, text = excluded.text,
          blobs = excluded.blobs, revision = excluded.revision, changed = now()
        WHERE CASE WHEN $6 = '' THEN h.text IS NULL ELSE h.version = $6 END
        RETURNING 1)
      SELECT EXISTS (SELECT FROM next) AS complete, EXISTS (SELECT FROM written) AS written,
        (SELECT pg_notify('${channel}', $4) FROM written)`,
    versionOf: `SELECT version FROM ${heads} WHERE tenant = $1 AND skill = $2`,
    readBlobs: `SELECT hash, bytes FROM ${blobs} WHERE hash = ANY($1::text[])`,
    removeTenant: `WITH gone AS (DELETE FROM ${heads} WHERE tenant = $1), known AS (DELETE FROM ${tenants} WHERE tenant = $1)
      SELECT pg_notify('${channel}', $1)`,
    // A writer that puts a blob meanwhile changes its row: the condition is then tried again, on the new time.
    sweepBlobs: `DELETE FROM ${blobs} AS b WHERE touched < now() - $1 * interval '1 millisecond'
      AND NOT EXISTS (SELECT FROM (SELECT unnest(blobs) AS hash FROM ${heads}) AS used WHERE used.hash = b.hash)
      RETURNING 1`,
    forget: `WITH gone AS (
        DELETE FROM ${heads} WHERE text IS NULL AND changed < now() - $1 * interval '1 millisecond' RETURNING tenant, revision),
      last AS (SELECT tenant, max(revision) AS revision FROM gone GROUP BY tenant)
      UPDATE ${tenants} AS t SET floor = greatest(t.floor, last.revision) FROM last WHERE t.tenant = last.tenant`,
  }
}
