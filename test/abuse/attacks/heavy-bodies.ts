import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { BATCH_CREATE, makeEvent } from '../../harness/events.ts'
import { type Coding, INLETS, makeBomb, type Shape } from '../bodies.ts'
import { JSON_CALL, openRaw } from '../client.ts'
import { type Attack, type Endings, onLanes } from '../statement.ts'
import type { Target } from '../target.ts'
import { askAndNote, noteRaw } from './endings.ts'

/** A bomb that is sent to an inlet by so many at once. */
function bombing(
  inlet: number,
  {
    shape,
    coding,
    lanes,
    isField = true,
  }: { readonly shape: Shape; readonly coding: Coding; readonly lanes: number; readonly isField?: boolean },
): Attack {
  const target = INLETS[inlet]
  if (!target) throw new Error(`there is no inlet ${inlet}`)
  return {
    title: `${lanes} at once send ${shape} in ${coding} as ${target.name}`,
    prepare: () => {
      makeBomb(shape, coding, isField ? target.field : undefined)
    },
    run: async (service, untilMs) => {
      const endings: Endings = new Map()
      const body = makeBomb(shape, coding, isField ? target.field : undefined)
      const headers = target.headers(service)
      await onLanes(lanes, untilMs, async () => {
        await askAndNote(endings, service.url, {
          path: target.path,
          headers: coding === 'identity' ? headers : { ...headers, 'content-encoding': coding },
          body,
          from: service.attacker,
        })
        await delay(20)
      })
      return endings
    },
  }
}

/** Eight MiB of good events that weigh little. */
function packedBatch(): Buffer {
  const text = { stringValue: 'x'.repeat(1000) }
  const event = {
    customProperties: Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`p${index}`, text])),
  }
  return gzipSync(JSON.stringify({ events: Array.from({ length: 1000 }, () => makeEvent(event)) }))
}

function ingesting(title: string, lanes: number, make: () => Buffer, coding: string): Attack {
  return {
    title,
    run: async (service, untilMs) => {
      const endings: Endings = new Map()
      const body = make()
      await onLanes(lanes, untilMs, async () => {
        await askAndNote(endings, service.url, {
          path: `/${BATCH_CREATE}`,
          headers: { ...JSON_CALL, 'content-encoding': coding, 'x-api-key': service.publicKey },
          body,
          from: service.attacker,
        })
        await delay(10)
      })
      return endings
    },
  }
}

/** Heads that announce much, and a body of which a little comes now and then. */
function dripping(
  title: string,
  {
    count,
    path,
    lengthBytes,
    key,
  }: {
    readonly count: number
    readonly path: string
    readonly lengthBytes: number
    key(service: Target): string
  },
  setup: Attack['setup'] = 'proxied',
): Attack {
  return {
    title,
    setup,
    run: async (service, untilMs) => {
      const endings: Endings = new Map()
      const apiKey = key(service)
      const head =
        `POST /${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
        `${apiKey === '' ? '' : `x-api-key: ${apiKey}\r\n`}content-length: ${lengthBytes}\r\n\r\n{`
      const connections = await openMany(service, count)
      const first = Buffer.alloc(Math.min(lengthBytes - 1000, 7_400_000), ' ')
      await Promise.all(
        connections.map(async (connection) => {
          await connection.write(head)
          void connection.write(first)
        }),
      )
      while (performance.now() < untilMs) {
        await delay(500)
        for (const connection of connections) void connection.write(' ')
      }
      for (const connection of connections) {
        noteRaw(endings, connection)
        connection.close()
      }
      return endings
    },
  }
}

/** Opens connections, a hundred at a time; those that are refused are left out. */
export async function openMany(
  service: Target,
  count: number,
): Promise<Awaited<ReturnType<typeof openRaw>>[]> {
  const connections: Awaited<ReturnType<typeof openRaw>>[] = []
  for (let first = 0; first < count; first += 100) {
    const some = await Promise.allSettled(
      Array.from(
        { length: Math.min(100, count - first) },
        async () => await openRaw(service.url, service.attacker),
      ),
    )
    for (const one of some) if (one.status === 'fulfilled') connections.push(one.value)
  }
  return connections
}

const PRIVATE = ({ other }: Target): string => other.privateKey
const PUBLIC = ({ publicKey }: Target): string => publicKey
const NONE = (): string => ''
const SIGN_IN = 'public.auth.v1.AuthService/SignInWithEmail'
const QUERY = 'shared.insights.v1.InsightsService/Query'

/** Bodies that weigh little and cost much, or that never come to their end. */
export const heavyBodies: readonly Attack[] = [
  bombing(0, { shape: 'nested objects', coding: 'br', lanes: 8 }),
  bombing(0, { shape: 'nested arrays', coding: 'gzip', lanes: 8 }),
  bombing(0, { shape: 'arrays that never close', coding: 'br', lanes: 32, isField: false }),
  bombing(1, { shape: 'many names', coding: 'zstd', lanes: 8 }),
  bombing(2, { shape: 'nested arrays', coding: 'br', lanes: 8 }),
  bombing(2, { shape: 'one text of escapes', coding: 'identity', lanes: 4 }),
  bombing(3, { shape: 'nested objects', coding: 'br', lanes: 16 }),
  bombing(3, { shape: 'a wide array', coding: 'zstd', lanes: 16 }),
  bombing(3, { shape: 'an array of objects', coding: 'br', lanes: 16 }),
  bombing(4, { shape: 'nested arrays', coding: 'br', lanes: 8 }),
  bombing(4, { shape: 'many names', coding: 'gzip', lanes: 8 }),
  bombing(4, { shape: 'a wide array', coding: 'br', lanes: 8 }),
  bombing(5, { shape: 'many names', coding: 'br', lanes: 8 }),
  bombing(5, { shape: 'a wide array', coding: 'br', lanes: 8 }),
  bombing(6, { shape: 'nested objects', coding: 'br', lanes: 8 }),
  bombing(6, { shape: 'an array of objects', coding: 'zstd', lanes: 8 }),
  bombing(7, { shape: 'nested arrays', coding: 'br', lanes: 8 }),
  bombing(7, { shape: 'an array of objects', coding: 'identity', lanes: 4, isField: false }),
  ingesting('64 at once send good events that unpack to 8 MiB with a public key', 64, packedBatch, 'gzip'),
  ingesting(
    '64 at once send 8 MiB of spaces that weigh a few hundred bytes with a public key',
    64,
    () => zstdCompressSync(Buffer.alloc(8 * 1024 * 1024 - 64, ' ')),
    'zstd',
  ),
  dripping('18 bodies of 7.4 MiB drip with a public key', {
    count: 18,
    path: BATCH_CREATE,
    lengthBytes: 8_000_000,
    key: PUBLIC,
  }),
  dripping('40 bodies of 7.4 MiB drip without a key', {
    count: 40,
    path: BATCH_CREATE,
    lengthBytes: 8_000_000,
    key: NONE,
  }),
  dripping(
    '40 bodies of 7.4 MiB drip without a key, directly',
    { count: 40, path: BATCH_CREATE, lengthBytes: 8_000_000, key: NONE },
    'direct',
  ),
  dripping('40 bodies of 7.4 MiB drip into a sign-in', {
    count: 40,
    path: SIGN_IN,
    lengthBytes: 8_000_000,
    key: NONE,
  }),
  dripping('300 bodies of 60 kB drip into a sign-in', {
    count: 300,
    path: SIGN_IN,
    lengthBytes: 60_000,
    key: NONE,
  }),
  dripping('40 bodies of 7.4 MiB drip into a query', {
    count: 40,
    path: QUERY,
    lengthBytes: 8_000_000,
    key: PRIVATE,
  }),
  dripping('18 bodies of 7.4 MiB drip into the tools of agents', {
    count: 18,
    path: 'mcp',
    lengthBytes: 8_000_000,
    key: PRIVATE,
  }),
  dripping('40 bodies of 10 GB are announced', {
    count: 40,
    path: BATCH_CREATE,
    lengthBytes: 10_000_000_000,
    key: PUBLIC,
  }),
]
