import type { ChartTarget } from '../charts/chart.ts'

/** The part whose people are listed, as the address has it. */
export interface OpenedPart {
  /** The answer that it is a part of. */
  readonly name: string
  readonly target: ChartTarget
  /** The person who is opened from the list; empty for the list. */
  readonly person: string
}

/** The name of the only answer of a page. */
export const ONLY_ANSWER = ''

const TEXT_MAX = 2000

const FIELDS: Readonly<
  Record<ChartTarget['kind'], Readonly<Record<string, 'string' | 'number' | 'boolean'>>>
> = {
  point: { series: 'number', startMs: 'number', endMs: 'number' },
  total: { series: 'number' },
  step: { series: 'number', step: 'number', part: 'string' },
  cell: { series: 'number', cohort: 'string', period: 'number' },
  activity: { series: 'number', buckets: 'number', orMore: 'boolean' },
  row: { value: 'string', isOthers: 'boolean' },
  node: { id: 'string' },
  link: { source: 'string', target: 'string' },
}

/** The text of a part in an address; empty where it is too long to keep. */
export function writePart({ name, target, person }: OpenedPart): string {
  const text = JSON.stringify({
    ...(name !== ONLY_ANSWER && { of: name }),
    ...target,
    ...(person !== '' && { person }),
  })
  return text.length <= TEXT_MAX ? text : ''
}

/** Parses the text of a part; `undefined` for any other text. */
export function readPart(text: string | null): OpenedPart | undefined {
  const value = parseRecord(text)
  const kind = value?.kind
  if (!value || typeof kind !== 'string' || !Object.hasOwn(FIELDS, kind)) return undefined
  const fields = FIELDS[kind as ChartTarget['kind']]
  const { of = ONLY_ANSWER, person = '', part } = value
  const isWhole = Object.entries(fields).every(([name, type]) => typeof value[name] === type)
  if (!isWhole || typeof of !== 'string' || typeof person !== 'string') return undefined
  const known = Object.fromEntries(Object.keys(fields).map((name) => [name, value[name]]))
  const absent = kind === 'cell' && part === 'absent' ? { part } : {}
  // The fields of the kind were checked one by one, which the type checker cannot follow.
  return { name: of, person, target: { kind, ...known, ...absent } as unknown as ChartTarget }
}

function parseRecord(text: string | null): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}
