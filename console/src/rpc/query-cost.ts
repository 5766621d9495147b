import type { Interceptor } from '@connectrpc/connect'

/** The cost of a query. */
export interface QueryCost {
  readonly rows: number
  readonly bytes: number
  readonly milliseconds: number
  /** The cache outcome: `hit`, `coalesced` or `miss`. */
  readonly source: string
}

const costs = new WeakMap<object, QueryCost>()

/** The cost of an answer; `undefined` when the response had none. */
export function costOf(answer: object): QueryCost | undefined {
  return costs.get(answer)
}

/** Records the cost of each answer from the `Server-Timing` header of its response. */
export const keepCost: Interceptor = (next) => async (request) => {
  const response = await next(request)
  const cost = parseServerTiming(response.header.get('server-timing') ?? '')
  if (cost && !response.stream) costs.set(response.message, cost)
  return response
}

function parseServerTiming(header: string): QueryCost | undefined {
  const metrics = new Map(header.split(',').map(parseMetric))
  const [store, rows, bytes, cache] = ['store', 'rows', 'bytes', 'cache'].map((name) => metrics.get(name))
  if (!store || !rows || !bytes) return undefined
  return {
    rows: Number(rows.get('desc')),
    bytes: Number(bytes.get('desc')),
    milliseconds: Number(store.get('dur')),
    source: cache?.get('desc') ?? 'miss',
  }
}

/** `store;dur=12.5` as its name and its parameters. */
function parseMetric(text: string): [name: string, params: ReadonlyMap<string, string>] {
  const [name = '', ...params] = text.split(';').map((part) => part.trim())
  const pairs = params.map((param): [string, string] => {
    const [key = '', value = ''] = param.split('=')
    return [key, value.replace(/^"|"$/g, '')]
  })
  return [name, new Map(pairs)]
}
