import { expect } from 'vitest'
import { PROMOTED_ENTRIES } from '../../../src/contract/promoted-properties.ts'
import { type BrowserSession, COMPARED, type ExpectedRow } from './browser-session.ts'
import type { Project, Row } from './session-project.ts'

/** What is compared of a row as it is. */
interface Content {
  readonly kind: string
  readonly auto: Readonly<Record<string, unknown>>
  readonly custom: Readonly<Record<string, unknown>>
}

/** What is compared under the names of the expectation. */
interface Ids {
  readonly who: string
  readonly session: string
}

interface Comparable {
  readonly content: Content
  readonly ids: Ids
}

/** Expects that a project has what the session must have left there, and nothing else. */
export async function expectSession(
  project: Project,
  { auto, expected, added }: BrowserSession,
): Promise<void> {
  // Which events are missing is more than how many: the comparison fails then.
  await project.waitForEvents(expected.rows.length).catch(() => undefined)
  const wanted = sortByContent(expected.rows.map((row) => readExpected(row, auto)))
  const names = await compareRows(project, wanted, added)
  const claims = Object.entries(expected.claims).map(([id, user]) => [names.get(id) ?? id, user])
  await expect.poll(async () => await project.claims()).toEqual(Object.fromEntries(claims))
  await expect.poll(async () => await project.traits()).toEqual(expected.traits)
  for (const answer of expected.answers) await project.expectAnswer(answer)
  expect(await project.events(), 'events that came later').toHaveLength(expected.rows.length)
}

/** The ids that the names of the expectation stand for. */
async function compareRows(
  project: Project,
  wanted: readonly Comparable[],
  added: RegExp | undefined,
): Promise<ReadonlyMap<string, string>> {
  const stored = sortByContent((await project.events()).map((row) => readStored(row, added)))
  expect(stored.map(({ content }) => content)).toEqual(wanted.map(({ content }) => content))
  return bindNames(wanted, stored)
}

function readStored(row: Row, added: RegExp | undefined): Comparable {
  const maps = [row.strings, row.doubles, row.bools, row.times] as readonly Row[]
  // ClickHouse may quote whole numbers of 64 bits.
  const ints = Object.entries(row.ints as Row).map(([name, value]) => [name, Number(value)] as const)
  const entries = [...maps.flatMap((map) => Object.entries(map)), ...ints]
  const promoted = PROMOTED_ENTRIES.map(([name, column]) => [name, row[column]] as const)
  const isOfCaller = (name: string): boolean => !name.startsWith('$') && added?.test(name) !== true
  return {
    content: {
      kind: String(row.kind),
      auto: pickCompared(Object.fromEntries([...entries, ...promoted])),
      custom: Object.fromEntries(entries.filter(([name]) => isOfCaller(name))),
    },
    ids: { who: String(row.distinct_id), session: String(row.session_id) },
  }
}

function readExpected(row: ExpectedRow, shared: BrowserSession['auto']): Comparable {
  const auto = pickCompared({ ...shared, ...row.auto })
  return { content: { kind: row.kind, auto, custom: row.custom }, ids: row }
}

function pickCompared(auto: Row): Row {
  return Object.fromEntries(COMPARED.map((name) => [name, auto[name] ?? '']))
}

/** Rows of one content are those of one person, so that any order of them is the same. */
function sortByContent(rows: readonly Comparable[]): readonly Comparable[] {
  const keyed = rows.map((row) => [keyOf(row.content), row] as const)
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

function keyOf({ kind, custom, auto }: Content): string {
  return JSON.stringify([kind, Object.entries(custom).sort(), auto])
}

/** Each name with `~` is one id, and no two are the same; every other name is the id itself. */
function bindNames(
  wanted: readonly Comparable[],
  stored: readonly Comparable[],
): ReadonlyMap<string, string> {
  const bound = new Map<string, string>()
  for (const part of ['who', 'session'] as const)
    for (const [index, { content, ids }] of wanted.entries()) {
      const name = ids[part]
      const id = stored[index]?.ids[part] ?? ''
      if (name.startsWith('~') && !bound.has(name)) bound.set(name, id)
      expect(id, `${part} of ${keyOf(content)}`).toBe(bound.get(name) ?? name)
    }
  expect(new Set(bound.values()).size, 'ids that differ').toBe(bound.size)
  return bound
}
