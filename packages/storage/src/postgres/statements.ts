import type { PostgresTables } from './schema.ts'

/** A revision to begin with that is larger than any before: microseconds, of one time in the whole statement. */
const FIRST = `(extract(epoch FROM now()) * 1000000)::bigint`

/** Heads that were removed before a time. */
const OLD = `text IS NULL AND changed < now() - $1 * interval '1 millisecond'`

/** The statements for the tables of one schema. Each is one atomic step. */
export function statementsFor({ blobs, tenants, heads, channel }: PostgresTables) {
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
      replaced AS (
        UPDATE ${heads} AS h SET version = $7, text = $8, blobs = $9, revision = next.revision, changed = now()
        FROM next WHERE $6 <> '' AND h.tenant = $4 AND h.skill = $5 AND h.version = $6 RETURNING 1),
      made AS (
        INSERT INTO ${heads} AS h (tenant, skill, version, text, blobs, revision)
        SELECT $4, $5, $7, $8, $9, next.revision FROM next WHERE $6 = ''
        ON CONFLICT (tenant, skill) DO UPDATE SET version = excluded.version, text = excluded.text,
          blobs = excluded.blobs, revision = excluded.revision, changed = now()
        WHERE h.text IS NULL RETURNING 1),
      written AS (SELECT FROM replaced UNION ALL SELECT FROM made)
      SELECT EXISTS (SELECT FROM next) AS complete, EXISTS (SELECT FROM written) AS written,
        (SELECT pg_notify('${channel}', $4) FROM written)`,
    versionOf: `SELECT version FROM ${heads} WHERE tenant = $1 AND skill = $2`,
    readBlobs: `SELECT hash, bytes FROM ${blobs} WHERE hash = ANY($1::text[])`,
    // One text without values is one transaction, in which every statement sees what was written before it. The first one
    // holds back all writers of the tenant.
    removeTenant(tenant: string): string {
      if (!/^[a-z0-9_-]+$/.test(tenant)) throw new TypeError('A tenant is a part of a key.')
      return `INSERT INTO ${tenants} AS t (tenant, revision, floor) VALUES ('${tenant}', 0, 0)
        ON CONFLICT (tenant) DO UPDATE SET floor = t.floor;
      DELETE FROM ${heads} WHERE tenant = '${tenant}';
      DELETE FROM ${tenants} WHERE tenant = '${tenant}';
      SELECT pg_notify('${channel}', '${tenant}')`
    },
    // A writer that puts a blob meanwhile changes its row: the condition is then tried again, on the new time. Rows are
    // locked in the order of the hashes, as writers do.
    sweepBlobs: `WITH unused AS (
        SELECT hash FROM ${blobs} AS b WHERE touched < now() - $1 * interval '1 millisecond'
          AND NOT EXISTS (SELECT FROM (SELECT unnest(blobs) AS hash FROM ${heads}) AS used WHERE used.hash = b.hash)
        ORDER BY hash FOR UPDATE)
      DELETE FROM ${blobs} AS b USING unused WHERE b.hash = unused.hash RETURNING 1`,
    // A tenant is locked before its heads, as writers do.
    forget: `WITH held AS (
        SELECT tenant FROM ${tenants} WHERE tenant IN (SELECT tenant FROM ${heads} WHERE ${OLD}) ORDER BY tenant FOR UPDATE),
      gone AS (
        DELETE FROM ${heads} AS h USING held WHERE h.tenant = held.tenant AND ${OLD} RETURNING h.tenant, h.revision),
      last AS (SELECT tenant, max(revision) AS revision FROM gone GROUP BY tenant)
      UPDATE ${tenants} AS t SET floor = greatest(t.floor, last.revision) FROM last WHERE t.tenant = last.tenant`,
  } as const
}
