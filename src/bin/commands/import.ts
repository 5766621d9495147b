import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { findProject } from '../../control/projects/operator-projects.ts'
import { parseTimeZone, type TimeZone } from '../../domain/insights/time-zone.ts'
import type { Settings } from '../../settings/settings.ts'
import { findApiKey } from '../../store/catalog/api-keys.ts'
import { isPersonalToken } from '../../store/catalog/personal-tokens.ts'
import { IMPORT_FORMATS, type ImportFormat } from '../../transfer/import/detect-format.ts'
import { type ImportOutcome, importFile } from '../../transfer/import/import-file.ts'
import { IMPORT_CONNECTIONS } from '../../transfer/import/import-records.ts'
import { importState } from '../../transfer/import/import-state.ts'
import { STDIN } from '../../transfer/import/open-source.ts'
import { UnreadableSource } from '../../transfer/import/unreadable-source.ts'
import { Progress } from '../../transfer/progress.ts'
import { createRetryNotice } from '../../transfer/send/retry-notice.ts'
import { ServiceClient } from '../../transfer/send/service-client.ts'
import { FatalError } from '../environment/fatal-error.ts'
import { withCatalog } from '../environment/with-catalog.ts'
import { describeError, interruption, readWords } from './command-words.ts'
import { findService } from './service-target.ts'

const OPTIONS = {
  project: { type: 'string' },
  format: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
  'time-zone': { type: 'string' },
  'dry-run': { type: 'boolean' },
  resume: { type: 'boolean' },
} as const

/** The word before an export of Plausible, which has no events. A file of this name is `./plausible`. */
const PLAUSIBLE = 'plausible'

/**
 * `millrace import`: sends the events of files to a service. Rejected records are written to files with the permissions of
 * `umask`; the command then exits with 1, as it does for a file without records. Throws {@link FatalError}.
 */
export async function runImport(settings: Settings, words: readonly string[], umask: number): Promise<void> {
  if (words[0] === PLAUSIBLE)
    return await (await import('./import-plausible.ts')).runPlausibleImport(settings, words.slice(1))
  const { values, positionals: paths } = readWords(words, OPTIONS)
  if (paths.length === 0) throw new FatalError('import needs files, or - for standard input')
  const format = readFormat(values.format)
  const timeZone = readTimeZone(values['time-zone'], format)
  const signal = interruption()
  const client = values['dry-run'] ? undefined : await connect(settings, values, signal)
  process.umask(umask)
  let path = ''
  try {
    for (path of paths) checkReadable(path)
    for (path of paths) {
      const outcome = await importFile({
        path,
        format,
        timeZone,
        client,
        onNotice: (text) => process.stderr.write(`${path}: ${text}\n`),
        stdin: process.stdin,
        start: values.resume ? 'resume' : 'afresh',
        createProgress: (done) => new Progress({ output: process.stderr, unit: 'records', done }),
      })
      process.stdout.write(describe(path, outcome))
      if (outcome.read === 0 || Object.keys(outcome.rejected).length > 0) process.exitCode = 1
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof FatalError) throw error
    const isResumable = !(error instanceof UnreadableSource) && existsSync(importState.path(path))
    const remedy = isResumable ? '; continue with --resume' : ''
    throw new FatalError(`the import of ${path} stopped: ${describeError(error)}${remedy}`, { cause: error })
  } finally {
    client?.close()
  }
}

function readFormat(text: string | undefined): ImportFormat | undefined {
  const format = IMPORT_FORMATS.find((one) => one === text)
  if (text !== undefined && format === undefined)
    throw new FatalError(`--format must be one of ${IMPORT_FORMATS.join(', ')}`)
  return format
}

function readTimeZone(name: string | undefined, format: ImportFormat | undefined): TimeZone | undefined {
  if (name === undefined) return undefined
  if (format !== undefined && format !== 'mixpanel')
    throw new FatalError('--time-zone is for Mixpanel exports only')
  try {
    return parseTimeZone(name)
  } catch (error) {
    throw new FatalError('--time-zone must be a name such as Europe/Berlin', { cause: error })
  }
}

/** Checks that a file can be read. Throws {@link FatalError}. */
export function checkReadable(path: string): void {
  if (path === STDIN) return
  try {
    if (!statSync(path).isFile())
      throw new FatalError(`${path} is not a regular file; for a pipe use -, standard input`)
    accessSync(path, constants.R_OK)
  } catch (error) {
    if (error instanceof FatalError) throw error
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new FatalError(isMissing ? `there is no file ${path}` : `${path} cannot be read`, { cause: error })
  }
}

/**
 * Imports go to the project of the key; `--project` must name the same one. With a personal access token, it chooses the project. Throws
 * {@link FatalError}.
 */
export async function connect(
  settings: Settings,
  values: { readonly project?: string; readonly url?: string; readonly key?: string },
  signal: AbortSignal,
): Promise<ServiceClient> {
  const found = findService(settings, { url: values.url, key: values.key })
  const target = isPersonalToken(found.key)
    ? { ...found, projectId: await chooseProject(settings, values) }
    : found
  if (values.project !== undefined && values.url === undefined && target === found) {
    await withCatalog(settings, async (catalog) => {
      const project = await findProject(catalog, values.project)
      const key = await findApiKey(catalog, target.key)
      if (key?.projectId === project.id) return
      throw new FatalError(
        `the key does not belong to project ${project.displayName}; create one with millrace keys create ${project.id} private`,
      )
    })
  }
  return new ServiceClient(target, {
    connectionsMax: IMPORT_CONNECTIONS,
    signal,
    onRetry: createRetryNotice(process.stderr),
  })
}

/** The id of the project for a token: of another machine's service, only its id is a name. */
async function chooseProject(
  settings: Settings,
  { project, url }: { readonly project?: string; readonly url?: string },
): Promise<string | undefined> {
  if (project === undefined || /^\d+$/.test(project)) return project
  if (url !== undefined)
    throw new FatalError('--project must be the id of a project where --url is another service')
  return await withCatalog(settings, async (catalog) => String((await findProject(catalog, project)).id))
}

function describe(path: string, outcome: ImportOutcome): string {
  const { read, accepted, identifyOnly, identified, propertiesDropped, rejected, rejectedPath } = outcome
  const reasons = Object.entries(rejected).sort(([, left], [, right]) => right - left)
  const rejectedCount = reasons.reduce((sum, [, count]) => sum + count, 0)
  return [
    `${path}: ${read} read, ${accepted} accepted, ${rejectedCount} rejected`,
    `  ${identifyOnly} without an event, ${identified} Identify calls, ${propertiesDropped} properties dropped`,
    ...reasons.map(([reason, count]) => `  ${count} rejected: ${reason}`),
    ...(rejectedCount > 0 ? [`  rejected records are in ${rejectedPath}`] : []),
    '',
  ].join('\n')
}
