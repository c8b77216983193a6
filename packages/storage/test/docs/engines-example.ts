import { postgresEngine, s3Engine } from '@repertoire/storage'
import { Pool } from 'pg'

/** Keeps skills in the schema "skills" of a database. */
export function inPostgres(connectionString: string) {
  const pool = new Pool({ connectionString, max: 10 })
  return postgresEngine({ pool, schema: 'skills' })
}

/** Keeps skills in a bucket. */
export function inBucket(accessKeyId: string, secretAccessKey: string) {
  const bucket = 'https://skills.s3.eu-central-1.amazonaws.com'
  const credentials = { accessKeyId, secretAccessKey }
  return s3Engine({ bucket, region: 'eu-central-1', credentials })
}
