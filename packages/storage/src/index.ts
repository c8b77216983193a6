export {
  ConnectionLostError,
  referencesIn,
  type RecordReading,
  type RecordWrite,
  type StorageEngine,
  type StoredFile,
  type SweepResult,
} from './engine.ts'
export { postgresEngine, type PostgresEngineOptions, type PostgresPool } from './postgres.ts'
export { redisEngine, type RedisClient, type RedisEngineOptions } from './redis.ts'
export { s3Engine, type S3Client, type S3EngineOptions } from './s3.ts'

export { openSessions, type Sessions, type SessionsOptions } from './sessions/engine.ts'
export { openFileSessions, type FileSessions, type FileSessionsOptions } from './sessions/file.ts'
export { openSkillStores, type SkillStores, type SkillStoresOptions, type SweepOptions } from './stores.ts'
