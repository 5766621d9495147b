import { checkTimeZoneName } from '../time-zone-name.ts'

/** A stretch of time in which a zone has a constant offset. */
export interface ZoneSegment {
  /** Milliseconds since the Unix epoch, inclusive. */
  readonly startMs: number
  /** Milliseconds to add to an instant to get the zone's local time. */
  readonly offsetMs: number
}

/** An IANA time zone; created by {@link parseTimeZone}. */
export interface TimeZone {
  /** The segments that intersect `[fromMs, toMs)`, ascending; the first starts at `fromMs`. */
  segments(fromMs: number, toMs: number): readonly ZoneSegment[]
}

/** The offset is assumed to change at most once between two samples. */
const SAMPLE_MS = 24 * 3_600_000
/** Samples are taken and cached in chunks of this many. */
const CHUNK_MS = 128 * SAMPLE_MS
/** Maximum cached chunks per zone: the whole calendar of events. */
const CHUNKS_MAX = 512
/** Maximum cached zones; there are some 600 names, in any letter case. */
const ZONES_MAX = 1000

const zones = new Map<string, TimeZone>()

/** Looks up a zone by its IANA name. Throws `invalid_argument` for an unknown one. */
export function parseTimeZone(name: string): TimeZone {
  const key = name.toLowerCase()
  const known = zones.get(key)
  if (known) return known
  const zone = new IntlTimeZone(name)
  if (zones.size < ZONES_MAX) zones.set(key, zone)
  return zone
}

class IntlTimeZone implements TimeZone {
  readonly #format: Intl.DateTimeFormat
  readonly #chunks = new Map<number, readonly ZoneSegment[]>()

  constructor(name: string) {
    checkTimeZoneName(name, 'timezone')
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  }

  segments(fromMs: number, toMs: number): readonly ZoneSegment[] {
    const segments: ZoneSegment[] = [{ startMs: fromMs, offsetMs: this.#offsetMs(fromMs) }]
    for (let chunk = Math.floor(fromMs / CHUNK_MS); chunk * CHUNK_MS < toMs; chunk++) {
      for (const change of this.#changes(chunk)) {
        if (change.startMs > fromMs && change.startMs < toMs) segments.push(change)
      }
    }
    return segments
  }

  /** The offset changes in `(start of the chunk, end of the chunk]`. */
  #changes(chunk: number): readonly ZoneSegment[] {
    const known = this.#chunks.get(chunk)
    if (known) return known
    const changes: ZoneSegment[] = []
    const startMs = chunk * CHUNK_MS
    let before = this.#offsetMs(startMs)
    for (let ms = startMs; ms < startMs + CHUNK_MS; ms += SAMPLE_MS) {
      const after = this.#offsetMs(ms + SAMPLE_MS)
      if (after !== before) changes.push({ startMs: this.#findChange(ms, after), offsetMs: after })
      before = after
    }
    if (this.#chunks.size < CHUNKS_MAX) this.#chunks.set(chunk, changes)
    return changes
  }

  /** The first instant after `ms` that has the offset of the next sample. */
  #findChange(ms: number, after: number): number {
    let low = ms
    let high = ms + SAMPLE_MS
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (this.#offsetMs(middle) === after) high = middle
      else low = middle
    }
    return high
  }

  /** Parses `GMT`, `GMT+05:45` or `GMT-00:44:30` at the end of a formatted date. */
  #offsetMs(ms: number): number {
    const text = this.#format.format(ms)
    const match = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text)
    if (!match?.[1]) return 0
    const [, sign, hours, minutes, seconds] = match
    const magnitude = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0)) * 1000
    return sign === '-' ? -magnitude : magnitude
  }
}
