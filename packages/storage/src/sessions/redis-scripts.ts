/**
 * The operations of sessions on Redis, each a script, which Redis runs as one step.
 *
 * A session has three keys: its head (a hash: token, version, and when the session expires), what was saved, and its lease,
 * which Redis itself removes when it runs out. What was saved lies apart from the head, so that an older value put into its
 * place does not bring the older version with it. Tokens are counted for the whole tenant, and never fall behind the clock:
 * one that is given out was never given out before, even where the counter was lost.
 */
const PRELUDE = `
local head, record, lease, counter = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local function text(number) return string.format('%.0f', number) end
local function keep(milliseconds)
  if redis.call('PTTL', head) < milliseconds then redis.call('PEXPIRE', head, text(milliseconds)) end
end
local function isHeld(token) return redis.call('HGET', head, 'token') == token end
`

/** Redis removes keys a little later than they expire, so that the head decides, and never a key that is gone already. */
const GRACE_MS = 60_000

/** `ARGV`: the duration. Returns the token, or an empty text while another owner has the lease. */
export const ACQUIRE = `${PRELUDE}
if redis.call('EXISTS', lease) == 1 then return '' end
local expires = tonumber(redis.call('HGET', head, 'expires') or '0')
if expires <= now then redis.call('DEL', head, record) end
local token = text(math.max(tonumber(redis.call('GET', counter) or '0') + 1, now))
redis.call('SET', counter, token)
redis.call('HSET', head, 'token', token)
redis.call('SET', lease, token, 'PX', ARGV[1])
keep(tonumber(ARGV[1]) + ${GRACE_MS})
return token
`

/** `ARGV`: the token, the duration. Returns 1, or 0 if another owner has the lease. */
export const RENEW = `${PRELUDE}
if not isHeld(ARGV[1]) then return 0 end
redis.call('SET', lease, ARGV[1], 'PX', ARGV[2])
keep(tonumber(ARGV[2]) + ${GRACE_MS})
return 1
`

/** `ARGV`: the token. */
export const RELEASE = `${PRELUDE}
if redis.call('GET', lease) == ARGV[1] then redis.call('DEL', lease) end
return 1
`

/** Returns the version and the saved text, which is empty if it was removed; or nothing. */
export const LOAD = `${PRELUDE}
local version = redis.call('HGET', head, 'version')
if not version or tonumber(redis.call('HGET', head, 'expires')) <= now then return {} end
return { version, redis.call('GET', record) or '' }
`

/** `ARGV`: the token, the expected version, what is saved, the time to live. Returns what happened, and the version. */
export const SAVE = `${PRELUDE}
if not isHeld(ARGV[1]) then return { 'lost', '0' } end
local version = redis.call('HGET', head, 'version') or '0'
if version ~= ARGV[2] then return { 'conflict', version } end
local next, live = text(tonumber(version) + 1), tonumber(ARGV[4])
redis.call('HSET', head, 'version', next, 'expires', text(now + live))
redis.call('SET', record, ARGV[3], 'PX', text(live + ${GRACE_MS}))
redis.call('PEXPIRE', head, text(math.max(live, redis.call('PTTL', lease)) + ${GRACE_MS}))
return { 'saved', next }
`

/** `ARGV`: the token. Returns 1, or 0 if another owner has the lease. */
export const DELETE = `${PRELUDE}
if not isHeld(ARGV[1]) then return 0 end
redis.call('DEL', head, record, lease)
return 1
`
