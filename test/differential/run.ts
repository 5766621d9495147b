import { parseArgs } from 'node:util'
import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { runDifferential } from './differ.ts'
import { compareKept } from './kept-worlds.ts'
import { openWorldStore } from './world-store.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    worlds: { type: 'string', default: '50' },
    requests: { type: 'string', default: '100' },
    /** Name of an insight type, for example FUNNEL; `SESSION` for session metrics. */
    type: { type: 'string' },
    /** Two engines that are a cluster, instead of one. */
    shards: { type: 'boolean', default: false },
    /** Worlds that change between questions, whose days are kept. */
    kept: { type: 'boolean', default: false },
    show: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  process.stdout.write(
    'usage: npm run differential -- [--seed N] [--worlds N] [--requests N] [--type T] [--shards] [--kept] [--show N]\n',
  )
  process.exit()
}

const store = await openWorldStore(values.shards ? 'two shards' : 'one engine')
const started = performance.now()
try {
  const { requestCount, differences } = values.kept
    ? await compareKept(store, {
        seed: Number(values.seed),
        worldCount: Number(values.worlds),
        requestCount: Number(values.requests),
      })
    : await runDifferential(store, {
        seed: Number(values.seed),
        worldCount: Number(values.worlds),
        requestsPerWorld: Number(values.requests),
        accepts: ({ spec }) => {
          if (values.type === undefined) return true
          if (values.type === 'SESSION') return spec?.session !== undefined
          return InsightType[spec?.insightType ?? 0] === values.type && spec?.session === undefined
        },
      })
  for (const difference of differences.slice(0, Number(values.show))) {
    process.stdout.write(`${JSON.stringify(difference, undefined, 2)}\n`)
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(
    `seed ${values.seed}: ${requestCount} queries, ${differences.length} answers differ, ${seconds} s\n`,
  )
  process.exitCode = differences.length === 0 ? 0 : 1
} finally {
  await store.close()
}
