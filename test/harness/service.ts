import { fromBinary } from '@bufbuild/protobuf'
import { ErrorInfoSchema } from '../../src/contract/gen/google/rpc/error_details_pb.js'
import type { Role } from '../../src/settings/settings.ts'
import type { ClickHouseEndpoint } from '../../src/store/clickhouse/client.ts'
import { type Ended, Invocation, type Machines, PRIVATE_KEY, type Until, type Written } from './invocation.ts'
import { createScaledOut } from './scaled-out.ts'
import { hasOwnTopology, isScaledOut } from './topology.ts'

export { type Ended, PRIVATE_KEY, PUBLIC_KEY, runMillrace } from './invocation.ts'

/** A real service: one invocation in a separate folder, or the whole topology that the tests are run on. */
export class TestService {
  readonly #machines: Machines

  private constructor(machines: Machines) {
    this.#machines = machines
  }

  /** Starts a service on free ports and a new folder, or one that is there; settings in `extra` come on top. */
  static async start(
    extra: Readonly<Record<string, string>> = {},
    until: Until = 'ready',
    dataDir?: string,
  ): Promise<TestService> {
    const service = await TestService.create(extra, dataDir)
    try {
      await service.launch(until)
    } catch (error) {
      await service.destroy()
      throw error
    }
    return service
  }

  /** A service that is not started yet, on free ports and an empty folder, or one that is there. */
  static async create(extra: Readonly<Record<string, string>> = {}, dataDir?: string): Promise<TestService> {
    const isOne = !isScaledOut() || dataDir !== undefined || hasOwnTopology(extra)
    return new TestService(isOne ? await Invocation.create(extra, dataDir) : await createScaledOut(extra))
  }

  /** The folder with what tests read of it: the engine's address, and the secrets that were made. */
  get dataDir(): string {
    return this.#machines.dataDir
  }

  get url(): string {
    return this.#machines.url
  }

  get adminUrl(): string {
    return this.#machines.adminUrl
  }

  get environment(): Readonly<Record<string, string>> {
    return this.#machines.environment
  }

  /** The shared catalog; `undefined` where it is a file of the data folder. */
  get databaseUrl(): string | undefined {
    return this.#machines.databaseUrl
  }

  /** The store, as its administrator; needs an embedded engine that runs. */
  clickhouse(): ClickHouseEndpoint {
    return this.#machines.clickhouse()
  }

  /** The output so far. */
  get output(): Readonly<Written> {
    return this.#machines.output
  }

  /** Starts the processes (again) and waits until they serve everything, or what they can. */
  async launch(until: Until = 'ready'): Promise<void> {
    await this.#machines.launch(until)
  }

  /** Process id of a role from its pid file. */
  pid(role: Role | 'supervisor'): number {
    return this.#machines.pid(role)
  }

  /** Calls an RPC in Connect JSON. */
  async call(
    method: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> }> {
    const response = await fetch(`${this.url}/${method}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'connect-protocol-version': '1',
        'x-api-key': PRIVATE_KEY,
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }

  /** Stops the processes in order. */
  async shutDown(): Promise<Ended> {
    return await this.#machines.shutDown()
  }

  /** Stops everything in any state, and removes the folder. */
  async destroy(): Promise<void> {
    await this.#machines.destroy()
  }
}

/** The reason in the ErrorInfo of a failed answer; its detail comes first. */
export function reasonOf(body: Record<string, unknown>): string {
  const [detail] = (body.details ?? []) as { readonly type: string; readonly value: string }[]
  const info = fromBinary(ErrorInfoSchema, Buffer.from(detail?.value ?? '', 'base64'))
  return info.reason
}
