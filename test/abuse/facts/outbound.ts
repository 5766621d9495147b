import { generateKeyPairSync } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { readEngineEndpoint } from '../../../src/store/embedded/engine.ts'
import { waitFor } from '../../harness/wait.ts'
import { call } from '../client.ts'
import type { ServiceUnderAttack } from '../service-under-attack.ts'
import { type Chapter, claim, type Statement } from '../statement.ts'
import { setTrap, TRAP_WORDS, type Trap } from '../trap.ts'

const PROVIDERS = 'dashboard.orgemailproviders.v1.OrgEmailProvidersService'

/** A test mail to a host that is not there gives up after ten seconds; one that is refused does not try. */
const REFUSAL_MS_MAX = 3_000

/** Names of this machine, in every notation. */
const LOOPBACK = [
  '127.0.0.1',
  '127.0.0.2',
  '127.1',
  '127.255.255.254',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'foo.localhost',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '[::ffff:127.0.0.1]',
  '::ffff:7f00:1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '2002:7f00:1::',
  '::127.0.0.1',
  '0.0.0.0',
  '0',
  '::',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.01',
  '127.000.000.001',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  ' 127.0.0.1',
  '127.0.0.1 ',
  'a@127.0.0.1',
  '127.0.0.1#.example.org',
  '127.0.0.1/.example.org',
  '::1%lo',
  'vm',
  'runsc',
  ...Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
]

/** Private networks, which an organisation of a shared service must not reach. */
const PRIVATE = [
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '[fd00:ec2::254]',
  'fd00::1',
  'fe80::1',
  'fc00::1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '192.0.0.192',
  '198.18.0.1',
  '0.1.2.3',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  'ff02::1',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
]

interface Sent {
  readonly set: number
  readonly message: string
  readonly ms: number
}

async function headersOf(service: ServiceUnderAttack): Promise<Record<string, string>> {
  return {
    authorization: `Bearer ${(await service.signIn()).token}`,
    'x-project-id': service.other.projectId,
  }
}

/** Sets a mail server and sends a test mail. */
async function sendThrough(
  service: ServiceUnderAttack,
  headers: Record<string, string>,
  smtp: object,
): Promise<Sent> {
  const { orgId } = service.other
  const set = await call(
    service.url,
    `${PROVIDERS}/Set`,
    { orgId, fromAddress: 'mail@example.org', smtp },
    headers,
  )
  if (set.status !== 200) return { set: set.status, message: String(set.json.message), ms: set.ms }
  const sent = await call(
    service.url,
    `${PROVIDERS}/SendTest`,
    { orgId, recipient: 'ada@example.org' },
    headers,
  )
  return { set: set.status, message: String(sent.json.errorMessage ?? sent.json.message), ms: sent.ms }
}

async function withTraps<T>(body: (trap: Trap) => Promise<T>): Promise<T> {
  const trap = await setTrap()
  const more: Trap[] = []
  for (const host of ['::1', '127.0.0.2']) {
    try {
      more.push(await setTrap(host, trap.port))
    } catch {
      // A machine without IPv6 has no such address to reach.
    }
  }
  try {
    return await body({
      ...trap,
      get caught() {
        return [trap, ...more].flatMap(({ caught }) => caught)
      },
    })
  } finally {
    await Promise.all([trap, ...more].map(async (one) => await one.stop()))
  }
}

/** Hosts by what they are; a few at a time, so that a failure names them. */
function refusedHosts(what: string, hosts: readonly string[]): Statement {
  return {
    title: `no mail goes to ${what}, however it is written, and no connection is made`,
    // Without the repair each of them waits for ten seconds.
    isSlow: true,
    check: async (service) => {
      const headers = await headersOf(service)
      await withTraps(async (trap) => {
        const seen: string[] = []
        for (const host of hosts) {
          const before = trap.caught.length
          const { message, ms, set } = await sendThrough(service, headers, { host, port: trap.port })
          if (trap.caught.length > before) seen.push(`${host}: connected`)
          if (message.includes(TRAP_WORDS)) seen.push(`${host}: repeats ${message}`)
          if (ms > REFUSAL_MS_MAX) seen.push(`${host}: ${Math.round(ms)} ms, ${message}`)
          if (set >= 500) seen.push(`${host}: ${set}`)
          if (seen.length > 12) break
        }
        claim(seen.length === 0, () => seen.join('; '))
      })
    },
  }
}

const mail: readonly Statement[] = [
  refusedHosts('this machine', LOOPBACK),
  refusedHosts('a private network', PRIVATE),
  {
    title: 'no mail goes to this machine by its usual names',
    check: async (service) => {
      const headers = await headersOf(service)
      await withTraps(async (trap) => {
        for (const host of ['127.0.0.1', 'localhost', '::1', '::ffff:127.0.0.1', '0.0.0.0']) {
          const { message } = await sendThrough(service, headers, { host, port: trap.port })
          claim(trap.caught.length === 0, () => `${host}: connected; ${message}`)
        }
      })
    },
  },
  {
    title: 'the ports of the service itself are not reached by mail',
    check: async (service) => {
      const headers = await headersOf(service)
      const port = Number(new URL(service.url).port)
      const { message, ms } = await sendThrough(service, headers, { host: '127.0.0.1', port })
      claim(!/HTTP\/|400|refused/i.test(message), () => `the answer reveals the target: ${message}`)
      const other = await sendThrough(service, headers, { host: '127.0.0.1', port: 1 })
      claim(
        other.message === message,
        () => `an open port is told from a closed one: ${message} / ${other.message}`,
      )
      claim(ms < REFUSAL_MS_MAX, () => `took ${Math.round(ms)} ms`)
    },
  },
  {
    title: 'an allowed mail server is reached, and its texts are not repeated',
    setup: 'loopback-mail',
    check: async (service) => {
      const headers = await headersOf(service)
      await withTraps(async (trap) => {
        const { message } = await sendThrough(service, headers, { host: '127.0.0.1', port: trap.port })
        claim(trap.caught.length > 0, () => `not connected: ${message}`)
        claim(!message.includes(TRAP_WORDS), () => `repeats ${message}`)
      })
    },
  },
  {
    title: 'an allowed range does not extend to its neighbours',
    setup: 'loopback-mail',
    check: async (service) => {
      const headers = await headersOf(service)
      await withTraps(async (trap) => {
        const { message } = await sendThrough(service, headers, { host: '::1', port: trap.port })
        claim(trap.caught.length === 0, () => `::1 is connected to: ${message}`)
      })
    },
  },
  ...(
    [
      ['another port', (trap: Trap) => ({ host: '127.0.0.1', port: trap.port, username: 'user' })],
      ['another host', (trap: Trap) => ({ host: 'localhost', port: trap.port, username: 'user' })],
      ['another user', (trap: Trap) => ({ host: '127.0.0.1', port: trap.port, username: 'other' })],
      [
        'a lower protection',
        (trap: Trap) => ({ host: '127.0.0.1', port: trap.port, username: 'user', useTls: false }),
      ],
    ] as const
  ).map(
    ([what, changed]): Statement => ({
      title: `a stored password does not go to ${what}`,
      setup: 'loopback-mail',
      check: async (service) => {
        const headers = await headersOf(service)
        await withTraps(async (first) => {
          await withTraps(async (second) => {
            const isSame = what === 'another user' || what === 'a lower protection'
            const stored = {
              host: '127.0.0.1',
              port: (isSame ? second : first).port,
              username: 'user',
              password: 'stored-password',
              useTls: what === 'a lower protection',
            }
            await sendThrough(service, headers, stored)
            const before = second.caught.join('').length
            await sendThrough(service, headers, { ...changed(second), password: '' })
            const after = second.caught.join('').slice(before)
            const isSent = [
              Buffer.from('stored-password').toString('base64').slice(0, -4),
              'stored-password',
              Buffer.from('\0user\0stored-password').toString('base64').slice(0, -4),
              Buffer.from('\0other\0stored-password').toString('base64').slice(0, -4),
            ].some((text) => after.includes(text))
            claim(!isSent, () => `the password went out: ${after.slice(0, 200)}`)
          })
        })
      },
    }),
  ),
]

/** A service account of Firebase that exchanges its tokens somewhere else. */
function accountAt(tokenUri: string): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return JSON.stringify({
    type: 'service_account',
    project_id: 'p',
    client_email: 'x@p.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: tokenUri,
  })
}

const push: Statement = {
  title: 'the token address of a service account leads to no port of this machine',
  check: async (service) => {
    const headers = await headersOf(service)
    const { url, other } = service
    await withTraps(async (trap) => {
      const key = { 'x-api-key': other.privateKey }
      await call(
        url,
        'sdk.devices.v1.DevicesService/Subscribe',
        { deviceId: 'd', platform: 'android', token: 't' },
        key,
      )
      for (const address of ['127.0.0.1', 'localhost', '[::1]', '2130706433']) {
        for (const scheme of ['http', 'https']) {
          const fcmServiceJson = accountAt(`${scheme}://${address}:${trap.port}/token`)
          const set = await call(
            url,
            'dashboard.projects.v1.ProjectsService/UpdateFCMServiceJSON',
            { fcmServiceJson },
            headers,
          )
          if (set.status !== 200) continue
          const campaign = {
            name: 'c',
            notificationData: Buffer.from('{"title":"x"}').toString('base64'),
            scheduledTime: new Date().toISOString(),
          }
          await call(url, 'shared.campaigns.v1.CampaignService/Create', campaign, key)
          await new Promise((resolve) => setTimeout(resolve, 1500))
          claim(trap.caught.length === 0, () => `${scheme}://${address}: connected`)
        }
      }
    })
  },
  isSlow: true,
}

const engine: Statement = {
  title: 'the pages of the embedded engine are off',
  check: async (service) => {
    const endpoint = await waitFor('the engine', () => readEngineEndpoint(service.dataDir))
    const seen: string[] = []
    for (const path of [
      '/play',
      '/dashboard',
      '/binary',
      '/merges',
      '/jemalloc',
      '/js/uplot.js',
      '/replicas_status?verbose=1',
    ]) {
      const response = await fetch(new URL(path, endpoint.url))
      if (response.status === 200) seen.push(`${path}: ${(await response.text()).slice(0, 60)}`)
    }
    claim(seen.length === 0, () => seen.join('; '))
  },
}

/** Connections that the service opens on request. */
export const outbound: Chapter = { name: 'outbound', statements: [...mail, push, engine] }
