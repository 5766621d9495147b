import { expect } from 'vitest'
import type { NewProject } from '../../harness/new-project.ts'
import type { TestService } from '../../harness/service.ts'
import { expectTotal } from '../dialect-service.ts'
import { CLAIMS, rowsOf, TRAITS } from '../expect-same-rows.ts'
import type { ExpectedAnswer } from './browser-session.ts'

/** A row of ClickHouse by column. */
export type Row = Readonly<Record<string, unknown>>

/** The SDKs add the browser, and where the visitor came from. */
const ADDED_TRAIT = /^(\$|(initial_)?utm_)/

const WAIT = { timeout: 60_000 } as const

/** A project that one SDK alone sends to. */
export class Project {
  readonly #service: TestService
  readonly #project: NewProject

  constructor(service: TestService, project: NewProject) {
    this.#service = service
    this.#project = project
  }

  async events(): Promise<readonly Row[]> {
    return await this.#read('SELECT * FROM events FINAL WHERE project = {project}')
  }

  /** Anonymous id → user. */
  async claims(): Promise<Readonly<Record<string, string>>> {
    const rows = await this.#read(CLAIMS)
    return Object.fromEntries(rows.map((row) => [String(row.anonymous_id), String(row.external_id)]))
  }

  /** Traits by user. */
  async traits(): Promise<Readonly<Record<string, Record<string, unknown>>>> {
    const found: Record<string, Record<string, unknown>> = {}
    for (const { external_id, key, value } of await this.#read(TRAITS)) {
      if (ADDED_TRAIT.test(String(key))) continue
      const user = String(external_id)
      found[user] = { ...found[user], [String(key)]: JSON.parse(String(value)) }
    }
    return found
  }

  async waitForEvents(count: number): Promise<void> {
    const counted = 'SELECT count() AS count FROM events FINAL WHERE project = {project}'
    const read = async (): Promise<number> => Number((await this.#read(counted))[0]?.count)
    await expect.poll(read, WAIT).toBeGreaterThanOrEqual(count)
  }

  async waitForTraits(user: string): Promise<void> {
    await expect.poll(async () => Object.keys(await this.traits()), WAIT).toContain(user)
  }

  async expectAnswer({ total, ...counted }: ExpectedAnswer): Promise<void> {
    await expectTotal(this.#service, counted, total, this.#project.key)
  }

  async #read(sql: string): Promise<readonly Row[]> {
    return await rowsOf(this.#service, this.#project.id, sql)
  }
}
