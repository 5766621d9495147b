/** An insight that was edited in this browser. */
export interface RecentInsight {
  /** The parameters of its address. */
  readonly address: string
  readonly changedMs: number
}

/** More are forgotten, the oldest first. */
const RECENT_MAX = 50

/** A longer address is not kept: the store of a browser is small. */
const ADDRESS_LENGTH_MAX = 8000

function storeName(projectId: string): string {
  return `millrace.insights.${projectId}`
}

/** The insights of a project that were edited in this browser, the latest first. */
export function readRecentInsights(projectId: string): readonly RecentInsight[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storeName(projectId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, RECENT_MAX) : []
  } catch {
    return []
  }
}

function isRecent(value: unknown): value is RecentInsight {
  if (typeof value !== 'object' || value === null) return false
  const { address, changedMs } = value as Partial<Record<keyof RecentInsight, unknown>>
  return typeof address === 'string' && typeof changedMs === 'number'
}

/** The list with an insight in front, which takes the place of its older version. */
export function withRecent(
  list: readonly RecentInsight[],
  added: RecentInsight,
  olderAddress: string,
): readonly RecentInsight[] {
  if (added.address.length > ADDRESS_LENGTH_MAX) return list
  const others = list.filter(({ address }) => address !== olderAddress && address !== added.address)
  return [added, ...others].slice(0, RECENT_MAX)
}

/** Keeps the insights of a project in this browser, where it has a store. */
export function writeRecentInsights(projectId: string, list: readonly RecentInsight[]): void {
  try {
    localStorage.setItem(storeName(projectId), JSON.stringify(list))
  } catch {
    // A full or forbidden store loses the list, nothing else.
  }
}
