import { foreign, type OptionKind, withMethods } from '@repertoire/core/options'

/** A client of Redis. */
export const clientKind: OptionKind = withMethods('a client of the package "redis"', 'sendCommand')

/** The beginning of keys. No part of it ends their hash tag. */
export const prefixKind: OptionKind = foreign(
  '1 to 64 letters, digits, "-", "_" and ":"',
  (value) => typeof value === 'string' && /^[\w:-]{1,64}$/.test(value),
)

/**
 * Returns the names of what is kept in Redis. What is put into them are parts, which hold nothing that divides.
 * @param prefix becomes the hash tag of all keys
 */
export function redisKeys(prefix: string) {
  const key = (...parts: readonly string[]): string => [`{${prefix}}`, ...parts].join(':')
  return {
    /** A hash: the heads of a tenant by skill. */
    heads: (tenant: string) => key('heads', tenant),
    /** Heads, the order of changes, the revision, the floor below which changes are forgotten, and what was removed when. */
    ofTenant: (tenant: string) =>
      [
        key('heads', tenant),
        key('changes', tenant),
        key('revision', tenant),
        key('floor', tenant),
        key('removed', tenant),
      ] as const,
    /** A set: the tenants that have skills. */
    tenants: key('tenants'),
    /** A sorted set: when blobs were written last. */
    touched: key('touched'),
    blob: (hash: string) => key('blob', hash),
    channel: (tenant: string) => key('changed', tenant),
  }
}

export type RedisKeys = ReturnType<typeof redisKeys>
