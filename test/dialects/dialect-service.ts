import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { createProject } from '../harness/new-project.ts'
import { PRIVATE_KEY, runMillrace, TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { type LossyProxy, startLossyProxy } from './lossy-proxy.ts'

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'
const PROFILES = 'shared.profiles.v1.ProfilesService'
const QUERY = 'shared.insights.v1.InsightsService/Query'

/** The session of events that belong to none. */
export const NO_SESSION = '00000000-0000-0000-0000-000000000000'

/** An event as the explorer shows it. */
export interface Found {
  readonly eventId: string
  readonly kind: string
  readonly distinctId: string
  readonly sessionId: string
  readonly occurTime: string
  readonly autoProperties: Readonly<Record<string, unknown>>
  readonly customProperties: Readonly<Record<string, unknown>>
}

/** What an insight counts of one kind. */
export interface Counted {
  readonly kind: string
  readonly aggregation: 'TOTAL' | 'UNIQUE_USERS' | 'SUM'
  readonly property?: string
  readonly includeCookieless?: boolean
}

/** Waits until the answer of an insight over this day is `expected`; another key asks for another project. */
export async function expectTotal(
  service: TestService,
  { kind, aggregation, property, includeCookieless = false }: Counted,
  expected: number,
  key = PRIVATE_KEY,
): Promise<void> {
  const nowMs = Date.now()
  const counted = {
    event: { kind },
    aggregation: `AGGREGATION_TYPE_${aggregation}`,
    ...(property === undefined ? {} : { aggregationProperty: property }),
  }
  const request = {
    spec: { insightType: 'INSIGHT_TYPE_SEGMENTATION', events: [counted], includeCookieless },
    granularity: 'GRANULARITY_DAY',
    timeRange: {
      from: new Date(nowMs - 86_400_000).toISOString(),
      to: new Date(nowMs + 3_600_000).toISOString(),
    },
  }
  const ask = async (): Promise<unknown> => {
    const { body } = await service.call(QUERY, request, { 'x-api-key': key })
    return (body.segmentation as { readonly total?: number } | undefined)?.total
  }
  await expect.poll(ask, { timeout: 90_000 }).toBe(expected)
}

/** An answer to a request of a vendor's SDK; its body is parsed when it is JSON. */
export interface DialectAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** A service behind a proxy that loses answers, and the questions with which tests look at what SDKs have sent. */
export class DialectService {
  readonly proxy: LossyProxy
  readonly #service: TestService

  private constructor(service: TestService, proxy: LossyProxy) {
    this.#service = service
    this.proxy = proxy
  }

  /** Starts both; only answers to paths that `mayLose` accepts are lost. */
  static async start(mayLose: (path: string) => boolean): Promise<DialectService> {
    const service = await TestService.start()
    return new DialectService(service, await startLossyProxy(service.url, mayLose))
  }

  /** The address of the service itself. */
  get url(): string {
    return this.#service.url
  }

  async stop(): Promise<void> {
    await this.proxy.stop()
    await this.#service.destroy()
  }

  async explore(kind: string): Promise<readonly Found[]> {
    const { body } = await this.#service.call(EXPLORER, { events: [{ kind }], pageSize: 100 })
    return (body.events ?? []) as readonly Found[]
  }

  /** The events of a kind, once there are `count`. */
  async eventsOf(kind: string, count = 1): Promise<readonly Found[]> {
    return await waitFor(`${count} events of ${kind}`, async () => {
      const found = await this.explore(kind)
      return found.length >= count ? found : undefined
    })
  }

  /** Waits until the number of users with an event of the kind on this day is `count`. */
  async waitForUsers(kind: string, count: number): Promise<void> {
    await this.waitForNumber({ kind, aggregation: 'UNIQUE_USERS' }, count)
  }

  /** Waits until the answer of an insight over this day is `expected`. */
  async waitForNumber(counted: Counted, expected: number): Promise<void> {
    await expectTotal(this.#service, counted, expected)
  }

  async profileOf(externalId: string): Promise<Record<string, unknown>> {
    return await waitFor(`the profile of ${externalId}`, async () => {
      const { status, body } = await this.#service.call(`${PROFILES}/GetByExternalId`, { externalId })
      return status === 200 ? (body.profile as Record<string, unknown>) : undefined
    })
  }

  /** A public key of the first project that was valid and is revoked. */
  async createRevokedKey(): Promise<string> {
    const { environment } = this.#service
    const { stdout } = await runMillrace(['keys', 'create', '1', 'public', 'short-lived'], environment)
    const list = await runMillrace(['keys', 'list'], environment)
    const row = list.stdout.split('\n').find((line) => line.includes('short-lived'))
    await runMillrace(['keys', 'revoke', row?.split(' ')[0] ?? ''], environment)
    return stdout.trim()
  }

  /** A public key of a second project. */
  async createKeyOfOther(): Promise<string> {
    const { id } = await createProject(this.#service, 'Other')
    const { stdout } = await runMillrace(['keys', 'create', id, 'public', 'other'], this.#service.environment)
    return stdout.trim()
  }

  /** Resident memory of the edge. */
  edgeMemoryMib(): number {
    return this.#edgeMib('VmRSS')
  }

  /** The most resident memory that the edge has ever had. */
  edgePeakMib(): number {
    return this.#edgeMib('VmHWM')
  }

  #edgeMib(name: 'VmRSS' | 'VmHWM'): number {
    const status = readFileSync(`/proc/${this.#service.pid('edge')}/status`, 'utf8')
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024
  }

  /** Posts bytes as an SDK would; the content type says nothing about them. */
  async post(
    path: string,
    body: string | Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<DialectAnswer> {
    const response = await fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', ...headers },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: parseBody(text) }
  }
}

/** Some answers are plain texts. */
function parseBody(text: string): unknown {
  return /^[[{\d]/.test(text) ? JSON.parse(text) : text
}
