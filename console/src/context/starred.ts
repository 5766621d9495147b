import { createSignal } from 'solid-js'

/** A page of a project that a person keeps at hand. */
export interface Starred {
  /** The path below the project: `dashboards/…`. */
  readonly path: string
  readonly name: string
  readonly kind: 'dashboard' | 'insight'
}

/** The most starred pages that the side bar has room for. */
const STARRED_MAX = 20

const KINDS: readonly Starred['kind'][] = ['dashboard', 'insight']

const [version, setVersion] = createSignal(0)

function keyOf(projectId: string): string {
  return `millrace.starred.${projectId}`
}

function isStarred(value: unknown): value is Starred {
  if (typeof value !== 'object' || value === null) return false
  const { path, name, kind } = value as Partial<Record<keyof Starred, unknown>>
  return typeof path === 'string' && typeof name === 'string' && KINDS.some((known) => known === kind)
}

/** The starred items of a project in this browser, newest last. */
export function readStarred(projectId: string): readonly Starred[] {
  version()
  try {
    const values: unknown = JSON.parse(localStorage.getItem(keyOf(projectId)) ?? '[]')
    return Array.isArray(values) ? values.filter(isStarred).slice(-STARRED_MAX) : []
  } catch {
    return []
  }
}

function write(projectId: string, starred: readonly Starred[]): void {
  try {
    localStorage.setItem(keyOf(projectId), JSON.stringify(starred.slice(-STARRED_MAX)))
  } catch {
    // A browser that keeps nothing still shows the page.
  }
  setVersion((before) => before + 1)
}

/** Stars a page, or takes its star away. */
export function toggleStar(projectId: string, page: Starred): void {
  const starred = readStarred(projectId)
  const others = starred.filter(({ path }) => path !== page.path)
  write(projectId, others.length < starred.length ? others : [...others, page])
}

/** Gives a starred page its new name, or removes it when it is gone. */
export function updateStar(projectId: string, path: string, name: string | undefined): void {
  const starred = readStarred(projectId)
  const changed = starred.flatMap((page) => {
    if (page.path !== path) return [page]
    return name === undefined ? [] : [{ ...page, name }]
  })
  if (JSON.stringify(changed) !== JSON.stringify(starred)) write(projectId, changed)
}
