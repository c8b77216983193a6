/** Scripts that Redis runs as one step each. A head is kept as `<version>\n<text>`; without a text, it was removed. */

/**
 * KEYS: heads, changes, revision, floor, removed, tenants, touched, and the blobs that are new.
 * ARGV: tenant, skill, expected version, version, text, channel, the hashes of those blobs, and their bytes; without bytes
 * they were put before.
 * Returns 1: written; 0: another version is there; 2: a blob was swept meanwhile.
 */
export const WRITE = `
local stored = redis.call('HGET', KEYS[1], ARGV[2])
local version, removed = '', true
if stored then
  local at = string.find(stored, '\\n', 1, true)
  version = string.sub(stored, 1, at - 1)
  removed = #stored == at
end
if version == ARGV[4] then return 1 end
if ARGV[3] == '' then
  if not removed then return 0 end
elseif version ~= ARGV[3] then return 0 end
local blobs = #KEYS - 7
if #ARGV > 6 + blobs then
  for i = 1, blobs do redis.call('SET', KEYS[7 + i], ARGV[6 + blobs + i]) end
else
  for i = 1, blobs do
    if redis.call('EXISTS', KEYS[7 + i]) == 0 then return 2 end
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 1, blobs do redis.call('ZADD', KEYS[7], now, ARGV[6 + i]) end
if redis.call('EXISTS', KEYS[3]) == 0 then
  local first = string.format('%d%06d', time[1], time[2])
  redis.call('SET', KEYS[3], first)
  redis.call('SET', KEYS[4], first)
end
local revision = redis.call('INCR', KEYS[3])
redis.call('HSET', KEYS[1], ARGV[2], ARGV[4] .. '\\n' .. ARGV[5])
redis.call('ZADD', KEYS[2], revision, ARGV[2])
if ARGV[5] == '' then redis.call('ZADD', KEYS[5], now, ARGV[2]) else redis.call('ZREM', KEYS[5], ARGV[2]) end
redis.call('SADD', KEYS[6], ARGV[1])
redis.call('PUBLISH', ARGV[6], '')
return 1`

/** KEYS: touched, and blobs. ARGV: a hash and the bytes, for each. A blob is known to the sweep before it is there. */
export const PUT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 2, #KEYS do
  redis.call('ZADD', KEYS[1], now, ARGV[2 * i - 3])
  redis.call('SET', KEYS[i], ARGV[2 * i - 2])
end
return 1`

/**
 * KEYS: heads, changes, revision, floor. ARGV: the revision of the last call, or ''.
 * Returns the revision, 1 if these are all heads, and the heads: skill, text, skill, text.
 */
export const CHANGES = `
local revision = redis.call('GET', KEYS[3])
if not revision then return { '', 1, {} } end
if ARGV[1] == '' or tonumber(ARGV[1]) < tonumber(redis.call('GET', KEYS[4]) or revision) or tonumber(ARGV[1]) > tonumber(revision) then
  return { revision, 1, redis.call('HGETALL', KEYS[1]) }
end
local found = {}
for _, skill in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[1], '+inf')) do
  local head = redis.call('HGET', KEYS[1], skill)
  if head then
    found[#found + 1] = skill
    found[#found + 1] = head
  end
end
return { revision, 0, found }`

/** KEYS: touched, and blobs. ARGV: the time before which one is old, and the hashes. Returns how many were removed. */
export const REMOVE_BLOBS = `
local removed = 0
for i = 2, #KEYS do
  local touched = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if touched and tonumber(touched) < tonumber(ARGV[1]) then
    redis.call('DEL', KEYS[i])
    redis.call('ZREM', KEYS[1], ARGV[i])
    removed = removed + 1
  end
end
return removed`

/**
 * Forgets heads that were removed before a time: whoever has seen less than the floor asks for everything.
 * KEYS: heads, changes, floor, removed. ARGV: the time.
 */
export const FORGET = `
for _, skill in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', '(' .. ARGV[1])) do
  local revision = redis.call('ZSCORE', KEYS[2], skill)
  redis.call('HDEL', KEYS[1], skill)
  redis.call('ZREM', KEYS[2], skill)
  redis.call('ZREM', KEYS[4], skill)
  if revision and tonumber(revision) > tonumber(redis.call('GET', KEYS[3]) or '0') then
    redis.call('SET', KEYS[3], string.format('%.0f', tonumber(revision)))
  end
end
return 1`

/** KEYS: heads, changes, revision, floor, removed, tenants. ARGV: tenant, channel. */
export const REMOVE_TENANT = `
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
redis.call('SREM', KEYS[6], ARGV[1])
redis.call('PUBLISH', ARGV[2], '')
return 1`
