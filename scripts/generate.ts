// Generates src/contract/gen from proto/. With --check it writes nothing and exits 1 when the committed code
// differs from what it would generate.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const outDir = join('src', 'contract', 'gen')

/** Runs `buf generate`; paths in buf.gen.yaml are relative to `base`. */
function generate(base: string): void {
  const path = [join(root, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH ?? '']
  const buf = join(root, 'node_modules', '@bufbuild', 'buf', 'bin', 'buf')
  const { status } = spawnSync(process.execPath, [buf, 'generate', '--output', base], {
    cwd: root,
    env: { ...process.env, PATH: path.join(delimiter) },
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('buf generate failed')
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
