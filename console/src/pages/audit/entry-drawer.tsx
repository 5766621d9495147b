import { type AuditEntry, CredentialKind } from '@contract/millrace/audit/v1/audit_log_service_pb.js'
import ArrowRight from 'lucide-solid/icons/arrow-right'
import ChevronDown from 'lucide-solid/icons/chevron-down'
import ChevronUp from 'lucide-solid/icons/chevron-up'
import ListFilter from 'lucide-solid/icons/list-filter'
import { For, type JSX, Show } from 'solid-js'
import { replaceParameters } from '../../context/router.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { formatMinute, formatMoment, NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer-panel.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Actor, timeOf } from './audit-table.tsx'
import { NO_FILTERS } from './audit-view.ts'
import { changesOf, labelOfAction, labelOfField, labelOfObject, textOfValue } from './audit-words.ts'

/** One entry, and the way to its neighbours in the list. */
export function EntryDrawer(props: {
  readonly entries: readonly AuditEntry[]
  readonly id: string
  readonly onOpen: (id: string) => void
  readonly onClose: () => void
}): JSX.Element {
  const at = (): number => props.entries.findIndex(({ id }) => id === props.id)
  const entry = (): AuditEntry | undefined => props.entries[at()]
  const neighbour = (by: 1 | -1): AuditEntry | undefined => (at() < 0 ? undefined : props.entries[at() + by])
  const title = (): string => {
    const found = entry()
    return found ? labelOfAction(found.action) : t('audit.entry')
  }
  const Step = (own: { readonly by: 1 | -1; readonly name: string; readonly icon: JSX.Element }) => (
    <IconButton
      tone="ghost"
      size="small"
      name={own.name}
      isDisabled={!neighbour(own.by)}
      onClick={() => props.onOpen(neighbour(own.by)?.id ?? props.id)}
    >
      {own.icon}
    </IconButton>
  )
  return (
    <Drawer
      title={title()}
      isOpen={true}
      onClose={props.onClose}
      actions={
        <>
          <Step by={-1} name={t('audit.previous')} icon={<ChevronUp />} />
          <Step by={1} name={t('audit.next')} icon={<ChevronDown />} />
        </>
      }
    >
      <Show when={entry()} keyed fallback={<EmptyState title={t('audit.notFound')} />}>
        {(found) => <EntryBody entry={found} />}
      </Show>
    </Drawer>
  )
}

function EntryBody(props: { readonly entry: AuditEntry }): JSX.Element {
  return (
    <div class="audit-entry">
      <EntryFacts entry={props.entry} />
      <section>
        <h3>{t('audit.changes')}</h3>
        <Show when={changesOf(props.entry).length > 0} fallback={<p>{t('audit.noChanges')}</p>}>
          <Changes entry={props.entry} />
        </Show>
      </section>
      <Show when={props.entry.objectId.startsWith('digest-')}>
        <p class="audit-hint">{t('audit.personHint')}</p>
      </Show>
    </div>
  )
}

interface Fact {
  readonly name: string
  readonly value: JSX.Element
  /** A button that lists what has the same value. */
  readonly filter?: { readonly name: string; readonly by: Partial<Record<keyof typeof NO_FILTERS, string>> }
}

function credentialOf({ credentialKind, credentialId: id }: AuditEntry): string {
  if (credentialKind === CredentialKind.SESSION) return t('audit.credentialSession', { id })
  if (credentialKind === CredentialKind.KEY) return t('audit.credentialKey', { id })
  if (credentialKind === CredentialKind.TOKEN) return t('audit.credentialToken', { id })
  return t('audit.credentialNone')
}

function EntryFacts(props: { readonly entry: AuditEntry }): JSX.Element {
  const workspace = useWorkspace()
  const projectName = (): string => {
    const { account, org } = workspace()
    const { projectId } = props.entry
    const own = account.organisations.find((one) => one.org.id === org.id)
    return own?.projects.find(({ id }) => String(id) === projectId)?.displayName ?? projectId
  }
  const facts = (): readonly Fact[] => {
    const { entry } = props
    const { actorId: actor, objectId: object, credentialId: credential } = entry
    const all: readonly (Fact & { readonly isKnown: boolean })[] = [
      { isKnown: true, name: t('audit.time'), value: formatMoment(timeOf(entry), workspace().timeZone) },
      {
        isKnown: true,
        name: t('audit.who'),
        value: <Actor entry={entry} />,
        filter: { name: t('audit.ofActor'), by: { actor } },
      },
      { isKnown: entry.objectName !== '', name: t('audit.name'), value: entry.objectName },
      {
        isKnown: object !== '',
        name: t('audit.id'),
        value: <code>{object}</code>,
        filter: { name: t('audit.ofObject'), by: { object } },
      },
      { isKnown: entry.projectId !== '', name: t('audit.project'), value: projectName() },
      { isKnown: true, name: t('audit.address'), value: <code>{entry.address || NO_VALUE}</code> },
      {
        isKnown: true,
        name: t('audit.credential'),
        value: credentialOf(entry),
        ...(credential === '' ? {} : { filter: { name: t('audit.ofCredential'), by: { credential } } }),
      },
      { isKnown: true, name: t('audit.action'), value: <code>{entry.action}</code> },
      { isKnown: actor !== '', name: t('audit.actorId'), value: <code>{actor}</code> },
      { isKnown: entry.requestId !== '', name: t('audit.request'), value: <code>{entry.requestId}</code> },
    ]
    return all.filter(({ isKnown }) => isKnown)
  }
  return (
    <dl class="people-facts">
      <For each={facts()}>
        {({ name, value, filter }) => (
          <div>
            <dt title={name}>{name}</dt>
            <dd>
              <span>{value}</span>
              <Show when={filter}>
                {(button) => (
                  <IconButton
                    tone="ghost"
                    size="small"
                    name={button().name}
                    onClick={() => replaceParameters({ ...NO_FILTERS, ...button().by })}
                  >
                    <ListFilter />
                  </IconButton>
                )}
              </Show>
            </dd>
          </div>
        )}
      </For>
    </dl>
  )
}

/** Values before and after; of several objects, each with its kind and id. */
function Changes(props: { readonly entry: AuditEntry }): JSX.Element {
  const workspace = useWorkspace()
  const write = (field: string, value: string | undefined): string =>
    textOfValue(field, value, (ms) => formatMinute(ms, workspace().timeZone)) ?? NO_VALUE
  return (
    <ul class="audit-changes">
      <For each={changesOf(props.entry)}>
        {({ object, id, field, before, after }) => (
          <li>
            <strong>{labelOfField(field)}</strong>
            <Show when={id !== props.entry.objectId}>
              <small>
                {labelOfObject(object)} <code>{id}</code>
              </small>
            </Show>
            <span class="audit-change">
              <span class="ui-hidden">{t('audit.before')}</span>
              <del data-is-missing={before === undefined ? '' : undefined}>{write(field, before)}</del>
              <ArrowRight aria-hidden="true" />
              <span class="ui-hidden">{t('audit.after')}</span>
              <ins data-is-missing={after === undefined ? '' : undefined}>{write(field, after)}</ins>
            </span>
          </li>
        )}
      </For>
    </ul>
  )
}
