export {
  ConnectionLostError,
  type Blob,
  type HeadChanges,
  type HeadWrite,
  type StorageEngine,
  type StoredHead,
  type SweepResult,
  type TenantListener,
} from './engine.ts'
export type { PostgresPool } from './postgres/client.ts'
export { postgresEngine, type PostgresEngineOptions } from './postgres/engine.ts'
export type { RedisClient, RedisSubscriber } from './redis/client.ts'
export { redisEngine, type RedisEngineOptions } from './redis/engine.ts'
export { s3Engine, type S3EngineOptions } from './s3/engine.ts'
export type { S3Credentials } from './s3/requests.ts'
export { referencesIn } from './heads/head.ts'
export { openFileSessions, type FileSessions, type FileSessionsOptions } from './sessions/file.ts'
export { openPostgresSessions, type PostgresSessions, type PostgresSessionsOptions } from './sessions/postgres.ts'
export { redisSessions, type RedisSessionsOptions } from './sessions/redis.ts'
export { openSkillStores, type SkillStores, type SkillStoresOptions, type SweepOptions } from './stores.ts'
