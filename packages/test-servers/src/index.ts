export { startPostgres, type PostgresServer } from './postgres.ts'
export { findRedis, startRedis, type RedisServer, type RedisServerOptions } from './redis.ts'
