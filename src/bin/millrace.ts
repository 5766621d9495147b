#!/usr/bin/env node
import { findNearName } from '../kernel/near-name.ts'
import { describeSettings, parseSettings, type Settings } from '../settings/settings.ts'
import { expectNoMore, readWords } from './commands/command-words.ts'
import { asFatal, FatalError } from './environment/fatal-error.ts'

/** A command of the operator's command line. */
interface Command {
  readonly usage: string
  readonly summary: string
  run(settings: Settings, words: readonly string[]): Promise<void>
  /** The arguments of the command: none, words, or words and options such as `--out file`, which it parses itself. */
  readonly takes: 'nothing' | 'words' | 'options'
  /** Reports invalid settings, for a command that prints more than the error. */
  reportInvalidSettings?(error: string): Promise<void>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    usage: 'start',
    summary: 'run the service',
    takes: 'nothing',
    run: async (settings) => await (await import('./supervisor/start.ts')).start(settings),
  },
  migrate: {
    usage: 'migrate',
    summary: 'bring the catalog and ClickHouse to the schema of this release',
    takes: 'nothing',
    run: async (settings) => await (await import('./commands/migrate.ts')).runMigrate(settings),
  },
  config: {
    usage: 'config',
    summary: 'print every setting with its accepted values and its value',
    takes: 'nothing',
    run: async (settings) => printConfig(settings),
  },
  doctor: {
    usage: 'doctor',
    summary: 'check settings, machine, stores and journal; exit 1 when a check fails',
    takes: 'nothing',
    run: async (settings) => {
      if (!(await (await import('./doctor/doctor.ts')).runDoctor(settings))) process.exitCode = 1
    },
    reportInvalidSettings: async (error) => (await import('./doctor/doctor.ts')).reportInvalidSettings(error),
  },
  health: {
    usage: 'health',
    summary: 'check the readiness of the running service; exit 1 when it is not ready',
    takes: 'nothing',
    run: async (settings) => await (await import('./commands/health.ts')).runHealth(settings),
  },
  keys: {
    usage: 'keys create <project> <public|private> [name] | keys list [project] | keys revoke <id>',
    summary: 'manage the API keys',
    takes: 'words',
    run: async (settings, words) => await (await import('./commands/keys.ts')).runKeys(settings, words),
  },
  explain: {
    usage: 'explain <request.json> [project]',
    summary: 'run an insight, and print its SQL, parameters and cost',
    takes: 'words',
    run: async (settings, words) => await (await import('./commands/explain.ts')).runExplain(settings, words),
  },
  quarantine: {
    usage: 'quarantine list | quarantine show <id> | quarantine replay <id>',
    summary: 'inspect and replay blocks that ClickHouse rejected',
    takes: 'words',
    run: async (settings, words) =>
      await (await import('./commands/quarantine.ts')).runQuarantine(settings, words),
  },
  export: {
    usage:
      'export --project <id or name> [--from T] [--to T] [--kinds a,b] [--format jsonl|csv|parquet] [--out file|-] [--gzip] [--resume] [--slice-rows N]',
    summary: 'write the events of a project',
    takes: 'options',
    run: async (settings, words) =>
      await (await import('./commands/export.ts')).runExport(settings, words, operatorUmask),
  },
  import: {
    usage:
      'import <file...|-> [--project <id or name>] [--format jsonl|csv|posthog|mixpanel|amplitude|segment|umami|ga4] [--time-zone Z] [--dry-run] [--resume] [--url U] [--key K] | import plausible <export.zip> [--until DATE] [--project <id or name>] [--dry-run] [--url U] [--key K]',
    summary: 'import the events of files, or the daily numbers of Plausible; exit 1 when some are rejected',
    takes: 'options',
    run: async (settings, words) =>
      await (await import('./commands/import.ts')).runImport(settings, words, operatorUmask),
  },
  imports: {
    usage: 'imports list | imports delete <id>; [--url U] [--key K]',
    summary: 'manage the imports of daily numbers, which import plausible adds',
    takes: 'options',
    run: async (settings, words) => await (await import('./commands/imports.ts')).runImports(settings, words),
  },
  generate: {
    usage:
      'generate --events N [--days 30] [--until T] | --rate N [--for 1h]; [--users N] [--seed N] [--url U] [--key K]',
    summary: 'send generated traffic of a shop: of the past, or live',
    takes: 'options',
    run: async (settings, words) =>
      await (await import('./commands/generate.ts')).runGenerate(settings, words),
  },
  backup: {
    usage: 'backup <new folder>',
    summary: 'back up the embedded stores, with or without the service running',
    takes: 'words',
    run: async (settings, words) => await (await import('./commands/backup.ts')).runBackup(settings, words),
  },
  restore: {
    usage: 'restore <folder of a backup>',
    summary: 'restore a backup to an empty data folder',
    takes: 'words',
    run: async (settings, words) => await (await import('./commands/backup.ts')).runRestore(settings, words),
  },
  'second-factor': {
    usage: 'second-factor list | second-factor remove <email>',
    summary: 'list the accounts with a second factor; remove it from an account whose owner is locked out',
    takes: 'words',
    run: async (settings, words) =>
      await (await import('./commands/second-factor.ts')).runSecondFactor(settings, words),
  },
  projects: {
    usage: 'projects create <name> | projects list',
    summary: 'manage the projects',
    takes: 'words',
    run: async (settings, words) =>
      await (await import('./commands/projects.ts')).runProjects(settings, words),
  },
}

// Files in a data folder or a backup are readable by their owner only, even if the folder existed before.
const operatorUmask = process.umask(0o077)
await main()

async function main(): Promise<void> {
  const [name, ...words] = process.argv.slice(2)
  try {
    const command = name === undefined || !Object.hasOwn(COMMANDS, name) ? undefined : COMMANDS[name]
    if (!command) return printUsage(name)
    if (words.some(isHelp)) return printCommand(command)
    if (command.takes !== 'options') readWords(words, {})
    if (command.takes === 'nothing') expectNoMore(words)
    const settings = parseSettings(process.env)
    if (!settings.ok) {
      if (!command.reportInvalidSettings) throw new FatalError(settings.error)
      await command.reportInvalidSettings(settings.error)
      process.exit(1)
    }
    await command.run(settings.value, words)
    process.exit()
  } catch (thrown) {
    const error = asFatal(thrown, `${name} failed`)
    if (!(error instanceof FatalError)) throw error
    process.stderr.write(`millrace: ${error.message}\n`)
    process.exit(1)
  }
}

/** Prints every setting with its value, default, accepted values and meaning. */
function printConfig(settings: Settings): void {
  const blocks = describeSettings(settings).map(({ name, value, fallback, accepts, meaning }) =>
    [`${name}=${value}`, `    ${meaning}`, `    default ${fallback}; accepts ${accepts}`].join('\n'),
  )
  process.stdout.write(`${blocks.join('\n')}\n`)
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

function printCommand({ usage, summary }: Command): void {
  process.stdout.write(`usage: millrace ${usage}\n${summary}\n`)
}

/** Prints the usage of all commands. Throws {@link FatalError} for a word that does not ask for it. */
function printUsage(name: string | undefined): void {
  if (name !== undefined && name !== 'help' && !isHelp(name)) {
    const near = findNearName(name, Object.keys(COMMANDS))
    const hint = near === undefined ? '' : `did you mean ${near}? `
    throw new FatalError(`${name} is not a command; ${hint}millrace help lists them`)
  }
  const lines = Object.values(COMMANDS).map(({ usage, summary }) => `  millrace ${usage}\n      ${summary}`)
  process.stdout.write(`usage:\n${lines.join('\n')}\n`)
}
