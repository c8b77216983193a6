export { tenantPart } from './namespace.ts'
export { openFileSessions, type FileSessions, type FileSessionsOptions } from './sessions/file.ts'
export {
  openPostgresSessions,
  type PostgresQueries,
  type PostgresSessions,
  type PostgresSessionsOptions,
} from './sessions/postgres.ts'
export { redisSessions, type RedisScriptClient, type RedisSessionsOptions } from './sessions/redis.ts'
