import { isFieldSet } from '@bufbuild/protobuf'
import { AuditChangeSchema, type AuditEntry } from '@contract/millrace/audit/v1/audit_log_service_pb.js'
import { AUDIT_ACTIONS, AUDIT_OBJECTS, type AuditObject } from '@domain/audit-actions.ts'
import { audit } from '../../i18n/en/audit.ts'
import type { NameKey } from '../../i18n/translate.ts'
import { t } from '../../i18n/translate.ts'
import './messages.ts'

const NAMES: Readonly<Record<string, string>> = audit

/** The word of a part of an action or a field; the part itself when this release of the console has none. */
function wordOf(kind: 'verb' | 'field', part: string): string {
  const key = `audit.${kind}.${part}`
  return key in NAMES ? t(key as NameKey) : part
}

function isObject(text: string): text is AuditObject {
  return (AUDIT_OBJECTS as readonly string[]).includes(text)
}

/** The name of a kind of object. */
export function labelOfObject(object: string): string {
  return isObject(object) ? t(`audit.object.${object}`) : object
}

/** An action in words: `Goal: created`. */
export function labelOfAction(action: string): string {
  const [object = '', verb = ''] = action.split('.')
  return t('audit.actionName', { object: labelOfObject(object), verb: wordOf('verb', verb) })
}

/** Every action with its words, in their order. */
export function actionOptions(): readonly { readonly value: string; readonly label: string }[] {
  return AUDIT_ACTIONS.map((value) => ({ value, label: labelOfAction(value) })).sort((one, other) =>
    one.label.localeCompare(other.label),
  )
}

/** The name of a changed field. */
export function labelOfField(field: string): string {
  return wordOf('field', field)
}

/** Fields with 1 for yes. */
const SWITCHES: ReadonlySet<string> = new Set([
  'embeddable',
  'enabled',
  'exclude_bots',
  'listed',
  'paused',
  'range_pinned',
  'second_factor_required',
])

/** What an entry has in the place of a value that it must not have. */
const OPAQUE: Readonly<Record<string, NameKey>> = { set: 'audit.set', changed: 'audit.changed' }

/** A value of a field in words; `undefined` where the object did not exist. */
export function textOfValue(
  field: string,
  value: string | undefined,
  writeTime: (ms: number) => string,
): string | undefined {
  if (value === undefined) return undefined
  if (SWITCHES.has(field)) return t(value === '1' ? 'audit.yes' : 'audit.no')
  if (field.endsWith('_ms')) return Number(value) > 0 ? writeTime(Number(value)) : t('audit.empty')
  const opaque = OPAQUE[value]
  if (opaque) return t(opaque)
  return value === '' ? t('audit.empty') : value
}

/** A field before and after; `undefined` where the object did not exist. */
export interface Change {
  readonly object: string
  readonly id: string
  readonly field: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The changes that are worth a line: what was empty and stays so is none. */
export function changesOf({ changes }: AuditEntry): readonly Change[] {
  return changes
    .filter(({ before, after }) => before !== after)
    .map((change) => {
      const { object, id, field } = change
      // A message has the empty text for a field that is absent.
      const before = isFieldSet(change, AuditChangeSchema.field.before) ? change.before : undefined
      const after = isFieldSet(change, AuditChangeSchema.field.after) ? change.after : undefined
      return { object, id, field, before, after }
    })
}
