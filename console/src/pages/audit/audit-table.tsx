import { timestampMs } from '@bufbuild/protobuf/wkt'
import { ActorKind, type AuditEntry } from '@contract/millrace/audit/v1/audit_log_service_pb.js'
import KeyRound from 'lucide-solid/icons/key-round'
import { type JSX, Show } from 'solid-js'
import { createClock } from '../../context/clock.ts'
import { currentLocation } from '../../context/router.ts'
import { useRowKeys } from '../../context/row-keys.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { formatAgo } from '../../format/ago.ts'
import { formatMinute, formatMoment, NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { changesOf, labelOfAction, labelOfField, textOfValue } from './audit-words.ts'

/** The time of an entry in milliseconds. */
export function timeOf({ time }: AuditEntry): number {
  return time ? timestampMs(time) : 0
}

/** A page of entries. */
export function AuditTable(props: {
  readonly entries: readonly AuditEntry[]
  /** Empty for none. */
  readonly openId: string
  readonly onOpen: (id: string) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const nowMs = createClock()
  useRowKeys()
  const columns = (): readonly Column<AuditEntry>[] => [
    { key: 'action', title: t('audit.action'), kind: 'wide', cell: (entry) => <Action entry={entry} /> },
    { key: 'who', title: t('audit.who'), cell: (entry) => <Actor entry={entry} /> },
    {
      key: 'time',
      title: t('audit.time'),
      cell: (entry) => (
        <time
          datetime={new Date(timeOf(entry)).toISOString()}
          title={formatMoment(timeOf(entry), workspace().timeZone)}
        >
          {formatAgo(timeOf(entry), { nowMs: nowMs(), timeZone: workspace().timeZone })}
        </time>
      ),
    },
    {
      key: 'address',
      title: t('audit.address'),
      cell: ({ address }) => <span class="audit-address">{address || NO_VALUE}</span>,
    },
  ]
  return (
    <Table
      label={t('audit.title')}
      rows={props.entries}
      columns={columns()}
      onOpen={({ id }) => props.onOpen(id)}
      isSelected={({ id }) => id === props.openId}
    />
  )
}

function hrefOf({ id }: AuditEntry): string {
  const { path, query } = currentLocation()
  const changed = new URLSearchParams(query)
  changed.set('entry', id)
  return `${path}?${changed}`
}

/** What was done to which object, and the first change. */
function Action(props: { readonly entry: AuditEntry }): JSX.Element {
  const detail = (): string =>
    [props.entry.objectName, firstChange(props.entry)].filter((text) => text !== '').join(' \u00b7 ')
  return (
    <span class="audit-action">
      <a href={hrefOf(props.entry)}>{labelOfAction(props.entry.action)}</a>
      <Show when={detail()}>{(text) => <small title={text()}>{text()}</small>}</Show>
    </span>
  )
}

/** `Role: Viewer → Member +1`; empty for entries that only have what was created or deleted. */
function firstChange(entry: AuditEntry): string {
  const { timeZone } = useWorkspace()()
  const changed = changesOf(entry).filter(({ before, after }) => before !== undefined && after !== undefined)
  const [first] = changed
  if (!first) return ''
  const write = (value: string | undefined): string =>
    textOfValue(first.field, value, (ms) => formatMinute(ms, timeZone)) ?? NO_VALUE
  const text = `${labelOfField(first.field)}: ${write(first.before)} → ${write(first.after)}`
  return changed.length === 1 ? text : `${text} ${t('audit.moreChanges', { count: changed.length - 1 })}`
}

/** An account by its mail address, a key by its masked form. */
export function Actor(props: { readonly entry: AuditEntry }): JSX.Element {
  const name = (): string => props.entry.actorName || props.entry.actorId
  return (
    <span class="audit-actor">
      <Show
        when={props.entry.actorKind === ActorKind.KEY}
        fallback={<Avatar id={props.entry.actorName || props.entry.actorId} name={name()} />}
      >
        <KeyRound />
      </Show>
      <span title={name()}>{name()}</span>
    </span>
  )
}
