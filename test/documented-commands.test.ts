import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const PAGES = globSync(['*.md', 'bench/*.md', 'docs/**/*.md'], { cwd: ROOT }).filter(
  // What changed in the past may name commands of the past.
  (path) => path !== 'CHANGELOG.md',
)

/** A command that a page documents. */
interface Documented {
  readonly place: string
  readonly words: readonly string[]
}

/** Words that begin a command in a block of a shell, or alone in a line of text. */
const STARTERS = /^(?:node|npm|npx|vitest|tsc|biome|buf|tsx)$/

const ASSIGNMENT = /^[A-Z_]+=/

const commands = PAGES.flatMap(commandsOf)
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
  readonly bin: Readonly<Record<string, string>>
}

function commandsOf(page: string): readonly Documented[] {
  let isInBlock = false
  return readFileSync(join(ROOT, page), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (/^ *```/.test(line)) isInBlock = !isInBlock
      const texts = isInBlock
        ? line.split(/[|&;]+/)
        : [...line.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
      return texts.flatMap((text) => {
        const words = text.replace(/ #.*$/, '').trim().split(/\s+/)
        const start = words.findIndex((word) => !ASSIGNMENT.test(word))
        const command = words.slice(start)
        const isCommand = command.length > 1 && STARTERS.test(command[0] ?? '')
        return isCommand ? [{ place: `${page}:${index + 1} ${command.join(' ')}`, words: command }] : []
      })
    })
}

function listBins(): ReadonlySet<string> {
  return new Set([...Object.keys(manifest.bin), ...globSync('*', { cwd: join(ROOT, 'node_modules/.bin') })])
}

const bins = listBins()

/** The reason why a command does not work on every machine that the README names; `undefined` if it does. */
function findFault([program = '', ...words]: readonly string[]): string | undefined {
  const [first = ''] = words
  switch (program) {
    case 'npm': {
      if (first !== 'run') return undefined
      const script = words.find((word, index) => index > 0 && !word.startsWith('-')) ?? ''
      return manifest.scripts[script] === undefined ? `there is no script ${script}` : undefined
    }
    case 'npx':
      return bins.has(first) ? undefined : `${first} is not installed here`
    case 'node':
      // The image has one version of Node.js, and compiled sources.
      return /^(-p|dist\/)/.test(first)
        ? undefined
        : 'it runs on whatever Node.js is on the PATH: make it a script of npm'
    default:
      return 'it is not on the PATH: begin it with npx'
  }
}

test('every documented command runs on the pinned Node.js', () => {
  expect(commands.length).toBeGreaterThan(40)
  const faults = commands.map(({ place, words }) => [place, findFault(words)]).filter(([, fault]) => fault)
  expect(faults).toEqual([])
})

test.each([
  [['node', 'bench/run.ts'], 'make it a script of npm'],
  [['vitest', 'run'], 'begin it with npx'],
  [['npm', 'run', '-s', 'no-such'], 'there is no script no-such'],
  [['npx', 'no-such'], 'no-such is not installed here'],
])('a command that does not work everywhere is seen: %j', (words, fault) => {
  expect(findFault(words)).toContain(fault)
})

/** The Node.js of a newcomer: the first on the PATH that no package brought. */
const ownPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
const hasOwnNode = ownPath.some((folder) => existsSync(join(folder, 'npx')))

const scripts = new Set(
  commands.flatMap(({ words: [program, run, ...rest] }) =>
    program === 'npm' && run === 'run'
      ? rest.filter((word) => /^(bench|faults|differential)/.test(word))
      : [],
  ),
)

test
  .skipIf(!hasOwnNode)
  .each([
    'npx millrace --help',
    'npx millrace import --help',
    'npx vitest --version',
    'npm run -s bench -- --list',
    ...[...scripts].filter((script) => script !== 'bench').map((script) => `npm run -s ${script} -- --help`),
  ])('%s runs with the Node.js that is installed', async (command) => {
  const [program = '', ...words] = command.split(' ')
  const { stdout } = await promisify(execFile)(program, words, {
    cwd: ROOT,
    env: { ...process.env, PATH: ownPath.join(delimiter) },
  })
  expect(stdout).not.toBe('')
})
