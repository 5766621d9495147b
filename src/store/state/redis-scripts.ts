import { createHash } from 'node:crypto'
import { SESSION_IDLE_MS, TIMES_REMEMBERED_MAX } from './session-history.ts'

/** A Lua script with its Redis identifier. */
export interface RedisScript {
  readonly source: string
  /** SHA-1 of the source, in hexadecimal. */
  readonly sha1: string
}

function defineScript(source: string): RedisScript {
  return { source, sha1: createHash('sha1').update(source).digest('hex') }
}

/** KEYS: the day's salt. ARGV: the record to store if there is none, its expiry (ms). Returns the stored record. */
export const OBTAIN_SALT_SCRIPT = defineScript(`
local record = redis.call('GET', KEYS[1])
if record then return record end
redis.call('SET', KEYS[1], ARGV[1], 'PXAT', ARGV[2])
return redis.call('GET', KEYS[1])
`)

/**
 * KEYS: a history per visitor. ARGV: packed visitors, each [expiry (ms), [[time, ...], ...]], and the candidates of all
 * chains, 16 bytes each, separate because Redis cannot read MessagePack's binary type. Returns 16 bytes per time, in
 * order: the session, or zeros for none. The Lua counterpart of `assignSession` in session-history.ts.
 */
export const TOUCH_SESSIONS_SCRIPT = defineScript(`
local IDLE, MAX, NONE = ${SESSION_IDLE_MS}, ${TIMES_REMEMBERED_MAX}, string.rep('\\0', 16)

local function known(session, time)
  if time >= session[3] and time <= session[4] then return true end
  for _, other in ipairs(session[5]) do
    if other == time then return true end
  end
  return false
end

local function fold(session)
  local times, rest = session[5], {}
  table.sort(times)
  session[3] = math.min(session[3], times[1])
  session[4] = math.max(session[4], times[MAX / 2])
  for _, time in ipairs(times) do
    if time > session[4] then rest[#rest + 1] = time end
  end
  session[5] = rest
end

local function remember(session, time)
  if time > session[2] then
    session[2] = time
  elseif known(session, time) then
    return
  end
  local times = session[5]
  times[#times + 1] = time
  if #times > MAX then fold(session) end
end

local function assign_session(history, candidate, time)
  local current = history[#history]
  if not current or time > current[2] + IDLE then
    history[#history + 1] = { candidate, time, time, time, {} }
    return candidate
  end
  if time < current[2] - IDLE then
    for _, session in ipairs(history) do
      if known(session, time) then return session[1] end
    end
    return NONE
  end
  remember(current, time)
  return current[1]
end

local answer, offset = {}, 1
for index, visitor in ipairs(cmsgpack.unpack(ARGV[1])) do
  local stored = redis.call('GET', KEYS[index])
  local history = stored and cmsgpack.unpack(stored) or {}
  for _, chain in ipairs(visitor[2]) do
    local candidate = string.sub(ARGV[2], offset, offset + 15)
    offset = offset + 16
    for _, time in ipairs(chain) do
      answer[#answer + 1] = assign_session(history, candidate, time)
    end
  end
  redis.call('SET', KEYS[index], cmsgpack.pack(history), 'PXAT', string.format('%.0f', visitor[1]))
end
return table.concat(answer)
`)

/**
 * KEYS: buckets. ARGV: tokens per second, burst, and for each bucket the tokens used and those requested. Returns for
 * each the tokens granted and those left, as text. The Lua counterpart of `takeFromBucket` in token-bucket.ts, on the
 * server's clock: an edge whose clock runs ahead must not lock out the others.
 */
export const TAKE_TOKENS_SCRIPT = defineScript(`
local rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local answer = {}
for index, key in ipairs(KEYS) do
  local used, wanted = tonumber(ARGV[2 * index + 1]), tonumber(ARGV[2 * index + 2])
  local tokens, at = string.match(redis.call('GET', key) or '', '^(%S+) (%S+)$')
  local present = tokens and tonumber(tokens) + math.max(0, now - tonumber(at)) * rate / 1000 or burst
  local left = math.min(burst, math.min(burst, present) - used)
  local granted = left >= 1 and math.min(wanted, left) or 0
  left = left - granted
  local full_in = math.max(1, math.ceil((burst - left) * 1000 / rate))
  redis.call('SET', key, string.format('%.17g %.3f', left, now), 'PX', string.format('%.0f', full_in))
  answer[index] = string.format('%.17g %.17g', granted, left)
end
return answer
`)
