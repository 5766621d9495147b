/** The traffic of one project: a shop with members and visitors, made by the engine itself from a seed. */
export interface TrafficPlan {
  /** About how many events; sessions are drawn until there are that many on average. */
  readonly events: number
  readonly project: number
}

/** Sessions by number, in the order of their starts. */
export interface SessionRange {
  readonly from: number
  readonly to: number
}

/** Raise it when {@link trafficSql} makes other rows: a kept folder of another version is refused. */
export const TRAFFIC_VERSION = 1

/** Sixty days over two ends of months: three partitions. */
export const TRAFFIC_RANGE = { fromMs: Date.UTC(2026, 7, 22), toMs: Date.UTC(2026, 9, 21) } as const

/** Mean of 1 + floor(20 u^2.2) for u from 0 to 1. */
const EVENTS_PER_SESSION = 6.73

/** Sessions differ in length by 20 times, users in their number of sessions by thousands. */
const EVENTS_PER_USER = 50

const SEED = 7

/** How many sessions the traffic has. */
export function sessionCount({ events }: TrafficPlan): number {
  return Math.round(events / EVENTS_PER_SESSION)
}

/** How many people there are; who has which ids is in {@link trafficSql}. */
export function personCount({ events }: TrafficPlan): number {
  return Math.round(events / EVENTS_PER_USER)
}

/** The id of a person's device before anybody knew who it is; the arguments are SQL. */
export function deviceId(person: string, device: string): string {
  return `toString(reinterpretAsUUID(sipHash128('device', ${SEED}, toUInt32(${person}), toUInt8(${device}))))`
}

/** The id of a person who has signed in; the argument is SQL. */
export function memberId(person: string): string {
  return `concat('user-', toString(${person}))`
}

/** Whether a person ever signs in: two of five do. */
export function isMember(person: string): string {
  return `(cityHash64(${SEED}, 'member', toUInt32(${person})) % 5 < 2)`
}

/** Devices of a person; the first is the usual one. */
export const DEVICES_PER_PERSON = 3

/**
 * `SELECT` of the columns of `events` for the sessions of a range. With `retried`, only the few sessions that a client
 * sent again, with a later `ingested`: 0.1 % of all.
 */
export function trafficSql(plan: TrafficPlan, { from, to }: SessionRange, sent: 'first' | 'retried'): string {
  const retried = sent === 'retried' ? `WHERE cityHash64(${SEED}, 'retry', s) % 1000 = 0` : ''
  const delayMs = sent === 'retried' ? 60_000 : 1000
  return `
SELECT ${eventColumns(plan, delayMs)}
FROM (
  SELECT *, i, offset, cityHash64(${SEED}, 'event', s, i) AS e, ${part('e', 1000)} AS r,
    multiIf(${KINDS}) AS kind_, toUInt32(floor(5000 * pow(${draw('e', 1)}, 3))) AS page,
    concat('/', ['products', 'journal', 'help', 'account', 'docs'][page % 5 + 1], '/page-', toString(page)) AS path,
    100 + intDiv(e, 7) % 50000 AS cents, kind_ IN ('add_to_cart', 'checkout', 'purchase') AS sells
  FROM (SELECT ${sessionColumns(plan)} FROM (${personOfSession(plan, { from, to }, retried)}))
  ARRAY JOIN offsets AS offset, arrayEnumerate(offsets) AS i
)`
}

/** Kinds by share in thousandths. */
const KIND_SHARES = {
  page_view: 600,
  click: 110,
  search: 80,
  add_to_cart: 60,
  login: 40,
  video_play: 30,
  checkout: 26,
  purchase: 16,
  signup: 14,
  share: 10,
  error: 10,
} as const

const KINDS = (() => {
  let below = 0
  const branches = Object.entries(KIND_SHARES).map(([kind, share]) => {
    below += share
    return `r < ${below}, '${kind}'`
  })
  return `${branches.join(', ')}, 'invite'`
})()

/** A number from 0 to 1 that depends on an SQL expression and a name of what is drawn. */
function draw(of: string, what: number): string {
  return `(cityHash64(${SEED}, ${of}, ${what}) / 18446744073709551616.)`
}

function part(of: string, count: number): string {
  return `(intDiv(${of}, 1048583) % ${count})`
}

/** Who has the session: half of them go to loyal people, half to those who came lately; people come all the time. */
function personOfSession(plan: TrafficPlan, { from, to }: SessionRange, where: string): string {
  const people = `${personCount(plan)} * (0.4 + 0.6 * s / ${sessionCount(plan)})`
  const skewed = `floor(${people} * pow(${draw('s', 3)}, 1.6))`
  return `
    SELECT number AS s, toUInt32(least(floor(if(${draw('s', 2)} < 0.5, ${people} - ${skewed}, ${skewed})), ${personCount(plan) - 1}.)) AS person
    FROM numbers(${from}, ${to - from}) ${where}`
}

/** More sessions by day than by night: days are warped, without changing the order of the sessions. */
function startMs(plan: TrafficPlan): string {
  const { fromMs, toMs } = TRAFFIC_RANGE
  const days = (toMs - fromMs) / 86_400_000
  const day = `((s + ${draw('s', 1)}) * ${days / sessionCount(plan)})`
  return `${fromMs} + toInt64(86400000 * (${day} - 0.1 * sin(6.283185307 * ${day})))`
}

function sessionColumns(plan: TrafficPlan): string {
  const device = 'multiIf(d < 0.7, 0, d < 0.9, 1, 2)'
  return `
    s, person, ${startMs(plan)} AS start, ${draw('s', 6)} AS d, ${device} AS device, ${isMember('person')} AS member,
    cityHash64(${SEED}, 'cookieless', person) % 10 = 0 AS cookieless_,
    multiIf(
      cookieless_, concat('cookieless-', base64URLEncode(sipHash128(${SEED}, person, intDiv(start, 86400000)))),
      member AND ${draw('s', 7)} < 0.85, ${memberId('person')},
      ${deviceId('person', 'device')}
    ) AS id,
    toUInt8(floor(20 * pow(${draw('s', 8)}, 2.2))) + 1 AS length,
    arrayCumSum(arrayMap(
      k -> if(k = 0 OR cityHash64(s, k) % 100 = 0, 0, toInt64(least(1500000, -40000 * log(${draw('s, k', 9)} + 1e-9)))),
      range(length)
    )) AS offsets,
    cityHash64(${SEED}, 'about', person, device) AS about,
    toUInt8(floor(60 * pow(${draw('person', 10)}, 2.5))) AS place,
    if(${draw('s', 11)} < 0.3, toUInt8(1 + s % 12), 0) AS campaign`
}

const CLIENTS = ['Chrome', 'Chrome', 'Chrome', 'Safari', 'Safari', 'Firefox', 'Edge', 'Opera']
const SYSTEMS = ['Windows', 'Android', 'macOS', 'iOS', 'macOS', 'Linux', 'Windows', 'Android']
const PLANS = ['free', 'free', 'free', 'pro', 'pro', 'team', 'enterprise']

function pick(values: readonly string[], of: string): string {
  return `[${values.map((value) => `'${value}'`).join(', ')}][${of} % ${values.length} + 1]`
}

function eventColumns({ project }: TrafficPlan, delayMs: number): string {
  const column = {
    project: `toUInt32(${project})`,
    kind: 'kind_',
    time: `fromUnixTimestamp64Milli(start + offset, 'UTC')`,
    distinct_id: 'id',
    session_id: `reinterpretAsUUID(sipHash128('session', ${SEED}, s))`,
    event_id: `reinterpretAsUUID(sipHash128('event', ${SEED}, s, i))`,
    cookieless: 'toBool(cookieless_)',
    url: `concat('https://shop.example', path)`,
    pathname: 'path',
    hostname: `'shop.example'`,
    title: `concat('Page number ', toString(page))`,
    referrer: `if(i = 1 AND about % 3 = 0, 'https://www.google.com/', '')`,
    channel: `if(campaign > 0, 'Paid Search', if(about % 3 = 0, 'Organic Search', 'Direct'))`,
    utm_source: `if(campaign > 0, concat('source-', toString(campaign % 4)), '')`,
    utm_campaign: `if(campaign > 0, concat('campaign-', toString(campaign)), '')`,
    browser: pick(CLIENTS, 'about'),
    browser_version: `concat(toString(120 + about % 9), '.0')`,
    os: pick(SYSTEMS, 'about'),
    device_type: pick(['desktop', 'mobile'], 'about'),
    country: `concat(char(65 + place % 26), char(65 + intDiv(place, 3) % 26))`,
    city: `concat('City ', toString(place * 20 + about % 20))`,
    language: pick(['en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES', 'ja-JP'], 'place'),
    strings: `mapFromArrays(
      arrayFilter(x -> x != '', [if(member, 'plan', ''), if(kind_ = 'search', 'query', ''), if(sells AND cents % 97 = 0, 'amount', '')]),
      arrayFilter(x -> x != '', [if(member, ${pick(PLANS, 'cityHash64(person)')}, ''), if(kind_ = 'search', concat('words ', toString(page)), ''), if(sells AND cents % 97 = 0, toString(cents / 100), '')]))`,
    ints: `if(sells, if(cents % 100 = 0 AND cents % 97 != 0, map('items', toInt64(1 + e % 5), 'amount', toInt64(intDiv(cents, 100))), map('items', toInt64(1 + e % 5))), map())`,
    doubles: `if(sells AND cents % 100 != 0 AND cents % 97 != 0, map('amount', cents / 100), map())`,
    ingested: `fromUnixTimestamp64Milli(start + offset + ${delayMs}, 'UTC')`,
  }
  return Object.entries(column)
    .map(([name, expression]) => `${expression} AS ${name}`)
    .join(', ')
}
