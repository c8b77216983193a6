import { foreign, type OptionKind, withMethods } from '@repertoire/core/options'

/** The names of what is kept in Redis. What is put into them are parts, which hold nothing that divides. */
export interface RedisKeys {
  /** A hash: the heads of a tenant by skill. */
  heads(tenant: string): string
  /** Heads, the order of changes, the revision, the floor below which changes are forgotten, and what was removed when. */
  ofTenant(tenant: string): readonly [string, string, string, string, string]
  /** A set: the tenants that have skills. */
  readonly tenants: string
  /** A sorted set: when blobs were written last. */
  readonly touched: string
  blob(hash: string): string
  channel(tenant: string): string
}

/** A client of Redis. */
export const clientKind: OptionKind = withMethods('a client of the package "redis"', 'sendCommand')

/** The beginning of keys. No part of it ends their hash tag. */
export const prefixKind: OptionKind = foreign(
  '1 to 64 letters, digits, "-", "_" and ":"',
  (value) => typeof value === 'string' && /^[\w:-]{1,64}$/.test(value),
)

/** @param prefix becomes the hash tag of all keys */
export function redisKeys(prefix: string): RedisKeys {
  const key = (...parts: readonly string[]): string => [`{${prefix}}`, ...parts].join(':')
  return {
    heads: (tenant) => key('heads', tenant),
    ofTenant: (tenant) => [
      key('heads', tenant),
      key('changes', tenant),
      key('revision', tenant),
      key('floor', tenant),
      key('removed', tenant),
    ],
    tenants: key('tenants'),
    touched: key('touched'),
    blob: (hash) => key('blob', hash),
    channel: (tenant) => key('changed', tenant),
  }
}
