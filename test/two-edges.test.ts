import { DATABASE, readEngineEndpoint } from '../src/store/embedded/engine.ts'
import { TestService } from './harness/service.ts'
import { hasSystemTool } from './harness/system-tool.ts'
import { describeTwoEdges } from './harness/two-edges.ts'

/** The engine of another data folder, as an operator would name a server. */
function clickhouseUrl(dataDir: string): string {
  const engine = readEngineEndpoint(dataDir)
  if (!engine) throw new Error('the first service has no engine')
  const url = new URL(engine.url)
  url.username = engine.admin.user
  url.password = engine.admin.password
  url.pathname = `/${DATABASE}`
  return url.href
}

const isRedisInstalled = hasSystemTool('redis-server', 'redis-server')

describeTwoEdges('two edges on one Redis and one ClickHouse', isRedisInstalled, async (shared) => {
  const first = await TestService.start(shared)
  const second = await TestService.start({
    ...shared,
    SERVICE_ROLES: 'edge',
    SERVICE_CLICKHOUSE_URL: clickhouseUrl(first.dataDir),
    SERVICE_QUERY_URL: first.url,
  })
  return {
    first,
    second,
    close: async () => {
      await second.destroy()
      await first.destroy()
    },
  }
})
