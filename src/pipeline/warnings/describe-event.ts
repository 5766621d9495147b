import type { WarningReason } from '../../contract/ingestion-warnings.ts'
import { checkPropertyKey, cutText } from '../event/event-rules.ts'
import type { WarningSample } from './warning.ts'

/** UTF-16 code units of a sample. */
const SAMPLE_LENGTH_MAX = 1500

/** Names of one object that a sample has; fewer where it would become too long. */
const NAMES_MAX = [30, 10, 3]

/** Objects of vendors that hold the parts of an event; every other object is a value. */
const CONTAINERS: ReadonlySet<string> = new Set([
  'context',
  'data',
  'event_properties',
  'library',
  'options',
  'params',
  'payload',
  'properties',
  'props',
  'p',
  'traits',
  'user_properties',
  '$set',
  '$set_once',
])

/** Objects within objects that a sample shows. */
const DEPTH_MAX = 3

/** Paths whose values tell what kind of event it is, and nothing of a person. */
const KEPT: ReadonlySet<string> = new Set(['event', 'type', 'event_type', 'payload.name', 'n'])

const TIMES = new Set(['timestamp', 'originalTimestamp', 'time', 'timestamp_micros', 'offset'])
const IDS = new Set([
  'distinct_id',
  '$distinct_id',
  'userId',
  'anonymousId',
  'previousId',
  'user_id',
  'device_id',
  '$user_id',
  '$device_id',
  'client_id',
  'id',
])
const KEYS = new Set(['api_key', 'token', '$token', 'writeKey'])
const OPERATIONS = new Set([
  '$add',
  '$append',
  '$union',
  '$remove',
  '$delete',
  '$prepend',
  '$preInsert',
  '$postInsert',
])
const TRAITS = new Set(['$set', '$set_once', '$setOnce', '$unset', 'traits', 'user_properties', 'data'])

type IsWrong = (name: string, value: unknown) => boolean

/** The parts of an event that are the reason of a warning. */
const IS_WRONG: Readonly<Partial<Record<WarningReason, IsWrong>>> = {
  text_cut: (_, value) => typeof value === 'string' && cutText(value) !== value,
  characters_replaced: (_, value) => typeof value === 'string' && isRepaired(value),
  property_left_out: (name, value) => !CONTAINERS.has(name) && isLeftOut(name, value),
  time_replaced: (name) => TIMES.has(name),
  invalid_distinct_id: (name) => IDS.has(name),
  no_distinct_id: (name) => IDS.has(name),
  other_key: (name) => KEYS.has(name),
  operation_not_supported: (name) => OPERATIONS.has(name),
  trait_left_out: (name) => TRAITS.has(name),
  unknown_type: (name) => name === 'type',
}

function isRepaired(text: string): boolean {
  return text.includes('\ufffd') || !text.isWellFormed()
}

function isLeftOut(name: string, value: unknown): boolean {
  if (checkPropertyKey(name, name.startsWith('$') ? 'auto' : 'custom') !== undefined) return true
  if (typeof value !== 'object' || value === null) return false
  const text = JSON.stringify(value)
  return cutText(text) !== text
}

/**
 * The JSON text of a {@link WarningSample} of an event: its names and what their values are like, never the values, which may be
 * personal. A name that may be personal itself is described too. Empty for what is not an object.
 */
export function describeEvent(record: unknown, reason: WarningReason): string {
  if (!isObject(record)) return ''
  for (const namesMax of NAMES_MAX) {
    const description = new Description(reason, namesMax)
    const event = description.describe(record, '', 0)
    const sample: WarningSample = { fields: description.fields, event }
    const text = JSON.stringify(sample)
    if (text.length <= SAMPLE_LENGTH_MAX) return text
  }
  return ''
}

class Description {
  readonly fields: string[] = []
  readonly #reason: WarningReason
  readonly #namesMax: number

  constructor(reason: WarningReason, namesMax: number) {
    this.#reason = reason
    this.#namesMax = namesMax
  }

  describe(object: Readonly<Record<string, unknown>>, path: string, depth: number): unknown {
    const names = Object.keys(object)
    const wrong = names.filter((name) => this.#isWrong(name, object[name])).slice(0, this.#namesMax)
    const chosen = new Set([...wrong, ...names.slice(0, this.#namesMax - wrong.length)])
    const described = Array.from(chosen, (name): [string, unknown] => {
      const shown = showName(name)
      const at = path === '' ? shown : `${path}.${shown}`
      if (wrong.includes(name)) this.fields.push(at)
      return [shown, this.#describeValue(object[name], { name, at, depth })]
    })
    const rest = names.length - chosen.size
    return Object.fromEntries(rest === 0 ? described : [...described, ['…', `${rest} more`]])
  }

  #describeValue(
    value: unknown,
    { name, at, depth }: { readonly name: string; readonly at: string; readonly depth: number },
  ): unknown {
    if (KEPT.has(at) && typeof value === 'string' && isPlainName(value)) return value
    if (this.#reason === 'time_replaced' && TIMES.has(name)) return describeTime(value)
    if (!isObject(value)) return describeScalar(value)
    if (CONTAINERS.has(name) && depth < DEPTH_MAX) return this.describe(value, at, depth + 1)
    return `object of ${JSON.stringify(value).length} characters`
  }

  #isWrong(name: string, value: unknown): boolean {
    return IS_WRONG[this.#reason]?.(name, value) ?? false
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function describeScalar(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `text of ${value.length} characters`
    case 'boolean':
      return 'true or false'
    case 'number':
    case 'bigint':
      return 'number'
    default:
      return Array.isArray(value) ? `list of ${value.length}` : 'null'
  }
}

/** The longest text of a time whose form is shown. */
const TIME_LENGTH_MAX = 40

/** The form of a time, which shows why it is none: `00.00.0000` for `24.12.2026`. */
function describeTime(value: unknown): string {
  if (typeof value === 'number') return `number of ${String(Math.trunc(value)).length} digits`
  // An address is no time, whatever its letters are.
  if (typeof value !== 'string' || value.length > TIME_LENGTH_MAX || value.includes('@'))
    return describeScalar(value)
  return `text like ${value.replaceAll(/\p{N}/gu, '0').replaceAll(/\p{L}/gu, 'a')}`
}

/** A name as developers give it: no address, no id of a person. */
const PLAIN_NAME = /^[\p{L}\p{N} _.$:/()&'!?+-]{1,100}$/u
const LONG_NUMBER = /\d{6}/

function isPlainName(name: string): boolean {
  return PLAIN_NAME.test(name) && !LONG_NUMBER.test(name)
}

function showName(name: string): string {
  return isPlainName(name) ? name : `name of ${name.length} characters`
}

/** The JSON text of a {@link WarningSample} of a request that breaks a rule in one field. */
export function describeViolation({
  field,
  description,
}: {
  readonly field: string
  readonly description: string
}): string {
  // Names of properties are quoted in paths.
  const path = field.replace(/\["([\s\S]*)"\]$/, (quoted, name: string) =>
    isPlainName(name) ? quoted : '["…"]',
  )
  const sample: WarningSample = { fields: path === '' ? [] : [path], problem: description.slice(0, 300) }
  const text = JSON.stringify(sample)
  return text.length <= SAMPLE_LENGTH_MAX ? text : ''
}
