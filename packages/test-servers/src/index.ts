export { freshProcesses, type FreshProcesses } from './fresh-processes.ts'
export { startPostgres, type PostgresServer } from './postgres.ts'
export { findRedis, startRedis, type RedisServer, type RedisServerOptions } from './redis.ts'
export { startS3, type S3Server, type S3ServerObject, type S3ServerOptions } from './s3.ts'
