import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { AggregatorRegistry } from 'prom-client'
import type { Logger } from '../../kernel/log.ts'
import { metricsAsJson } from '../../kernel/metrics.ts'
import { Router, route } from '../../rpc/router.ts'
import type { Settings } from '../../settings/settings.ts'
import { cannotListen } from '../environment/fatal-error.ts'
import type { Supervisor } from './supervisor.ts'
import { observeService } from './supervisor-metrics.ts'

/** Dependencies of {@link startAdminServer}. */
interface AdminParts {
  readonly supervisor: Processes
  readonly log: Logger
}

type Processes = Pick<Supervisor, 'isUp' | 'metrics'>

/**
 * Serves `GET /metrics`: the metrics of all processes of this invocation, each with its role as a label. Throws `FatalError` when it
 * cannot listen.
 */
export async function startAdminServer(settings: Settings, { supervisor, log }: AdminParts): Promise<Server> {
  observeService(settings, (role) => supervisor.isUp(role))
  const router = new Router([route<typeof collect | undefined>('GET', '/metrics', collect)], undefined)
  const server = createServer((request, response) => {
    const read = router.find(request.method ?? '', request.url ?? '')
    if (!read) return response.writeHead(404).end()
    return void read(supervisor).then(
      ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics could not be read')
        response.writeHead(500).end()
      },
    )
  })
  const { adminHost: host, adminPort: port } = settings
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw cannotListen({ host, port, setting: 'SERVICE_ADMIN' }, error)
  }
  return server
}

interface MetricJson {
  readonly values: readonly { readonly labels: Record<string, unknown> }[]
}

async function collect(
  supervisor: Processes,
): Promise<{ readonly contentType: string; readonly text: string }> {
  const roles = [
    ...(await supervisor.metrics()),
    { role: 'supervisor', metrics: await metricsAsJson() } as const,
  ]
  const labelled = roles.map(({ role, metrics }) =>
    (metrics as readonly MetricJson[]).map((metric) => withRole(metric, role)),
  )
  const registry = AggregatorRegistry.aggregate(labelled)
  return { contentType: registry.contentType, text: await registry.metrics() }
}

/** Returns a copy, because the supervisor's own metrics are live objects. */
function withRole(metric: MetricJson, role: string): MetricJson {
  const values = metric.values.map((value) => ({ ...value, labels: { ...value.labels, role } }))
  return { ...metric, values }
}
