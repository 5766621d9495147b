import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { AggregatorRegistry } from 'prom-client'
import { metricsAsJson } from '../kernel/metrics.ts'
import type { Settings } from '../kernel/settings.ts'
import { cannotListen } from './fatal-error.ts'
import type { Supervisor } from './supervisor.ts'
import { observeService } from './supervisor-metrics.ts'

/** Serves `GET /metrics`: the metrics of all processes of this invocation, each with its role as a label. */
export async function startAdminServer(settings: Settings, supervisor: Supervisor): Promise<Server> {
  observeService(settings, (role) => supervisor.isRunning(role))
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    return void collect(supervisor).then(
      ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(settings.adminPort, settings.adminHost)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw cannotListen(settings.adminHost, settings.adminPort, 'SERVICE_ADMIN', error)
  }
  return server
}

interface MetricJson {
  readonly values: { labels: Record<string, unknown> }[]
}

async function collect(
  supervisor: Supervisor,
): Promise<{ readonly contentType: string; readonly text: string }> {
  const roles = [
    ...(await supervisor.metrics()),
    { role: 'supervisor', metrics: await metricsAsJson() } as const,
  ]
  for (const { role, metrics } of roles) {
    for (const metric of metrics as readonly MetricJson[]) {
      for (const value of metric.values) value.labels.role = role
    }
  }
  const registry = AggregatorRegistry.aggregate(roles.map(({ metrics }) => [...metrics]))
  return { contentType: registry.contentType, text: await registry.metrics() }
}
