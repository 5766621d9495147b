import { currentPlace, navigate } from '../app/router.ts'
import { type FilterDraft, OPERATORS, type Operator, type Source } from '../insight/draft.ts'

const SOURCES: readonly string[] = [
  'PROPERTY_SOURCE_AUTO',
  'PROPERTY_SOURCE_CUSTOM',
  'PROPERTY_SOURCE_PROFILE',
] satisfies readonly Source[]

/** Changes parameters of the address, so that it shows the same again; an empty one goes. */
export function keepInAddress(parameters: Readonly<Record<string, string>>): void {
  const { path, query } = currentPlace()
  const changed = new URLSearchParams(query)
  for (const [name, text] of Object.entries(parameters)) {
    if (text === '') changed.delete(name)
    else changed.set(name, text)
  }
  navigate(changed.size === 0 ? path : `${path}?${changed}`, 'replace')
}

/** The conditions of the address; none when there are none, or what is there is something else. */
export function readFiltersOfAddress(): readonly FilterDraft[] {
  try {
    const values: unknown = JSON.parse(currentPlace().query.get('filters') ?? '[]')
    return Array.isArray(values) ? values.filter(isDraft) : []
  } catch {
    return []
  }
}

/** Conditions as a parameter of an address. */
export function encodeFilters(drafts: readonly FilterDraft[]): string {
  return drafts.length === 0 ? '' : JSON.stringify(drafts)
}

function isDraft(value: unknown): value is FilterDraft {
  if (typeof value !== 'object' || value === null) return false
  const { property, operator, value: text, source } = value as Partial<Record<keyof FilterDraft, unknown>>
  return typeof property === 'string' && typeof text === 'string' && isOperator(operator) && isSource(source)
}

function isOperator(value: unknown): value is Operator {
  return typeof value === 'string' && Object.hasOwn(OPERATORS, value)
}

function isSource(value: unknown): value is Source {
  return typeof value === 'string' && SOURCES.includes(value)
}
