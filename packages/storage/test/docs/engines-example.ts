import { S3 } from '@aws-sdk/client-s3'
import { postgresEngine, s3Engine } from '@repertoire/storage'
import { Pool } from 'pg'

/** Keeps skills in the schema "skills" of a database. */
export function inPostgres(connectionString: string) {
  const pool = new Pool({ connectionString, max: 10 })
  return postgresEngine({ pool, schema: 'skills' })
}

/** Keeps skills in a bucket, with the credentials of the environment or the machine's role. */
export function inBucket(bucket: string) {
  const client = new S3({ region: 'eu-central-1' })
  return s3Engine({ client, bucket })
}
