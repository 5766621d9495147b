// Generates src/contract/gen from proto/. With --check it writes nothing and exits 1 when the committed code
// differs from what it would generate.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { readComments } from './proto-comments.ts'
import { renderServiceRegistry } from './service-registry.ts'

const root = resolve(import.meta.dirname, '..')
const outDir = join('src', 'contract', 'gen')

/** Packages whose comments the service itself shows: in the descriptions of its tools. */
const COMMENTED_PACKAGES = ['shared.', 'common.', 'millrace.insights.', 'millrace.people.']

/** More than an image of all files ever takes. */
const IMAGE_BYTES_MAX = 64 * 1024 * 1024

const COMMENTS_TYPE = `/** Comments of proto/ by the full name of a message, field, enum or enum value, each in one line. */
export declare const COMMENTS: Readonly<Record<string, string>>
`

/** Runs `buf generate`, and writes the comments and the list of services, which generated code leaves out. */
function generate(base: string): void {
  runBuf(['generate', '--output', base])
  const image = runBuf(['build', '--output', '-#format=binpb'])
  const comments = JSON.stringify(readComments(image, COMMENTED_PACKAGES), null, 2)
  writeFileSync(join(base, outDir, 'comments.js'), `export const COMMENTS = ${comments}\n`)
  writeFileSync(join(base, outDir, 'comments.d.ts'), COMMENTS_TYPE)
  for (const [name, text] of renderServiceRegistry(image)) writeFileSync(join(base, outDir, name), text)
}

/** Runs buf and returns what it wrote to stdout. */
function runBuf(words: readonly string[]): Buffer {
  const path = [join(root, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH ?? '']
  const buf = join(root, 'node_modules', '@bufbuild', 'buf', 'bin', 'buf')
  const { status, stdout } = spawnSync(process.execPath, [buf, ...words], {
    cwd: root,
    env: { ...process.env, PATH: path.join(delimiter) },
    stdio: ['inherit', 'pipe', 'inherit'],
    maxBuffer: IMAGE_BYTES_MAX,
  })
  if (status !== 0) throw new Error(`buf ${words[0]} failed`)
  return stdout
}

/** Text of every file below a folder, by path from the repository root. */
function readGenerated(base: string): Map<string, string> {
  const dir = join(base, outDir)
  if (!existsSync(dir)) return new Map()
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map((file) => {
      const path = join(file.parentPath, file.name)
      return [path.slice(base.length + 1), readFileSync(path, 'utf8')]
    }),
  )
}

/** Paths of the files that are missing, superfluous or different in the repository, in order. */
function findDifferences(): readonly string[] {
  const base = mkdtempSync(join(tmpdir(), 'generate-'))
  try {
    generate(base)
    const [fresh, committed] = [readGenerated(base), readGenerated(root)]
    const paths = new Set([...fresh.keys(), ...committed.keys()])
    return [...paths].filter((path) => fresh.get(path) !== committed.get(path)).sort()
  } finally {
    rmSync(base, { recursive: true })
  }
}

if (process.argv.includes('--check')) {
  const differing = findDifferences()
  if (differing.length > 0) {
    process.stderr.write(`run \`npm run gen\`, the committed code differs: ${differing.join(', ')}\n`)
    process.exitCode = 1
  }
} else {
  generate(root)
}
