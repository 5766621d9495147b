import type { ProjectId } from '../../contract/ids.ts'
import type { ServiceError } from '../../contract/service-error.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { invalidField } from '../invalid-field.ts'
import { projectNotFound } from './projects.ts'

/** A service account of Firebase Cloud Messaging, which sends push notifications. */
export interface FcmAccount {
  /** Firebase project. */
  readonly projectId: string
  readonly clientEmail: string
  /** PEM. */
  readonly privateKey: string
  /** Token endpoint, if the file has one. */
  readonly tokenUri: string | undefined
}

const PEM_PATTERN = /^-----BEGIN (RSA )?PRIVATE KEY-----\r?\n[\s\S]+-----END (RSA )?PRIVATE KEY-----\s*$/

/** Displayed instead of the key; rejected as a key when sent back. */
const REDACTED = '[redacted]'

/** Parses a service-account file. Throws `invalid_argument` with the missing or invalid field. */
export function parseFcmAccount(text: string): FcmAccount {
  const fields = parseObject(text)
  if (fields.type !== 'service_account') throw invalid('type must be service_account')
  const tokenUri =
    fields.token_uri === undefined ? undefined : readText(fields, 'token_uri', /^https?:\/\/\S+$/)
  return {
    projectId: readText(fields, 'project_id', /^\S+$/),
    clientEmail: readText(fields, 'client_email', /^[^\s@]+@[^\s@]+$/),
    privateKey: readText(fields, 'private_key', PEM_PATTERN),
    tokenUri,
  }
}

/** Stores the credentials of a project sealed; an empty text removes them. */
export async function storeFcmAccount(
  { catalog, sealer }: { readonly catalog: Catalog; readonly sealer: Sealer },
  { projectId, text }: { readonly projectId: ProjectId; readonly text: string },
): Promise<void> {
  const fields =
    text === ''
      ? { fcm_sealed: null, fcm_redacted: null }
      : {
          fcm_redacted: redact(parseFcmAccount(text)),
          fcm_sealed: sealer.seal({ purpose: purposeOf(projectId), text }),
        }
  const updated = await catalog
    .updateTable('projects')
    .set(fields)
    .where('id', '=', projectId)
    .executeTakeFirst()
  if (updated.numUpdatedRows === 0n) throw projectNotFound()
}

/** The credentials of a project, if it has any. Throws when they were sealed with another secret key. */
export async function readFcmAccount(
  { catalog, sealer }: { readonly catalog: Catalog; readonly sealer: Sealer },
  projectId: ProjectId,
): Promise<FcmAccount | undefined> {
  const row = await catalog
    .selectFrom('projects')
    .select('fcm_sealed')
    .where('id', '=', projectId)
    .executeTakeFirst()
  if (!row?.fcm_sealed) return undefined
  return parseFcmAccount(sealer.unseal({ purpose: purposeOf(projectId), sealed: row.fcm_sealed }))
}

function redact({ projectId, clientEmail }: FcmAccount): string {
  return JSON.stringify({
    type: 'service_account',
    project_id: projectId,
    client_email: clientEmail,
    private_key: REDACTED,
  })
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    throw invalid('is not JSON')
  }
  throw invalid('is not a JSON object')
}

function readText(fields: Readonly<Record<string, unknown>>, name: string, pattern: RegExp): string {
  const value = fields[name]
  if (typeof value !== 'string' || !pattern.test(value)) throw invalid(`${name} is missing or invalid`)
  return value
}

function purposeOf(projectId: ProjectId): string {
  return `fcm-account/${projectId}`
}

function invalid(description: string): ServiceError {
  return invalidField('fcm_service_json', description)
}
