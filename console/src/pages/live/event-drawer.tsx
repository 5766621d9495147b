import { toJsonString } from '@bufbuild/protobuf'
import { type ActivityEvent, ActivityEventSchema } from '@contract/shared/activity/v1/activity_pb.js'
import ChartLine from 'lucide-solid/icons/chart-line'
import Copy from 'lucide-solid/icons/copy'
import Filter from 'lucide-solid/icons/list-filter'
import { createSignal, createUniqueId, For, type JSX, Match, Show, Switch } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { formatAge } from '../../format/ago.ts'
import { formatCountry, formatMoment } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { copyWithToast } from '../../people/copy-text.ts'
import { PersonAvatar } from '../../people/person-avatar.tsx'
import { type NamedPerson, namePerson, personHref } from '../../people/person-name.ts'
import { eventIdOf } from '../../people/read-person.ts'
import { hasSession, sessionHref } from '../../people/visits.ts'
import { EventIcon } from '../../picker/entry-icons.tsx'
import type { PropertyRef } from '../../picker/filter-draft.ts'
import { labelOfProperty } from '../../picker/names.ts'
import { Keys } from '../../ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer-panel.tsx'
import { Flag } from '../../ui/flag.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import './event-drawer.css'
import { arrivalOf, occurrenceOf } from './live-model.ts'
import { EventBadges } from './live-rows.tsx'

type View = 'properties' | 'page' | 'json'

/** The actions that the drawer offers. */
export interface EventDrawerActions {
  readonly onClose: () => void
  readonly onFilterEvent: (kind: string) => void
  readonly onFilterProperty: (property: PropertyRef, value: string) => void
  readonly onFilterSession: (sessionId: string) => void
}

interface EventDrawerProps extends EventDrawerActions {
  readonly event: ActivityEvent
  readonly person: NamedPerson
  readonly nowMs: number
}

/** One event: its person, its properties, its page and visit, and the event as JSON. */
export function EventDrawer(props: EventDrawerProps): JSX.Element {
  const [chosen, setView] = createSignal<View>()
  // Many page views have no custom properties.
  const view = (): View =>
    chosen() ?? (Object.keys(props.event.customProperties ?? {}).length > 0 ? 'properties' : 'page')
  const panelId = createUniqueId()
  return (
    <Drawer
      title={props.event.displayName || props.event.kind}
      icon={<EventIcon event={props.event.kind} />}
      detail={<Times event={props.event} nowMs={props.nowMs} />}
      isOpen={true}
      padding="none"
      onClose={() => props.onClose()}
    >
      <div class="event-detail">
        <Actions {...props} />
        <Tabs<View>
          label={t('live.views')}
          value={view()}
          panelId={panelId}
          onChange={setView}
          choices={[
            { value: 'properties', label: t('live.properties') },
            { value: 'page', label: t('live.pageAndVisit') },
            { value: 'json', label: t('live.json') },
          ]}
        />
        <div id={panelId} role="tabpanel" class="event-panel">
          <Person event={props.event} person={props.person} />
          <Switch>
            <Match when={view() === 'properties'}>
              <PropertyRows
                values={props.event.customProperties ?? {}}
                source="PROPERTY_SOURCE_CUSTOM"
                onFilter={props.onFilterProperty}
              />
            </Match>
            <Match when={view() === 'page'}>
              <Show when={hasSession(props.event)}>
                <VisitRows {...props} />
              </Show>
              <PropertyRows
                values={props.event.autoProperties ?? {}}
                source="PROPERTY_SOURCE_AUTO"
                onFilter={props.onFilterProperty}
              />
            </Match>
            <Match when={view() === 'json'}>
              <pre class="event-json">{jsonOf(props.event)}</pre>
            </Match>
          </Switch>
        </div>
        <Foot person={props.person} />
      </div>
    </Drawer>
  )
}

function jsonOf(event: ActivityEvent): string {
  return toJsonString(ActivityEventSchema, event, { prettySpaces: 2 })
}

function Times(props: { readonly event: ActivityEvent; readonly nowMs: number }): JSX.Element {
  const workspace = useWorkspace()
  const age = (): string =>
    formatAge(arrivalOf(props.event), { nowMs: props.nowMs, timeZone: workspace().timeZone })
  return (
    <>
      <span>{formatMoment(occurrenceOf(props.event), workspace().timeZone)}</span>
      <span>· {age()}</span>
      <EventBadges event={props.event} />
    </>
  )
}

function Actions(props: EventDrawerProps): JSX.Element {
  const workspace = useWorkspace()
  const insight = (): string => {
    const spec = { insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind: props.event.kind } }] }
    return `/p/${workspace().project.id}/insights?${new URLSearchParams({ spec: JSON.stringify(spec) })}`
  }
  return (
    <div class="event-actions">
      <ButtonLink size="small" icon={<ChartLine />} href={insight()}>
        {t('live.openInInsights')}
      </ButtonLink>
      <Button size="small" icon={<Filter />} onClick={() => props.onFilterEvent(props.event.kind)}>
        {t('live.filterByThis')}
      </Button>
      <IconButton size="small" name={t('live.copy')} onClick={() => void copyWithToast(jsonOf(props.event))}>
        <Copy />
      </IconButton>
    </div>
  )
}

function Person(props: { readonly event: ActivityEvent; readonly person: NamedPerson }): JSX.Element {
  const name = () => namePerson(props.person)
  const place = (property: string): string => {
    const value = props.event.autoProperties?.[property]
    return typeof value === 'string' ? value : ''
  }
  return (
    <div class="event-person">
      <PersonAvatar id={eventIdOf(props.person)} person={name()} />
      <span class="event-name">
        <b class="ui-ellipsis">{name().name}</b>
        <Show when={name().detail}>{(detail) => <span class="ui-ellipsis">{detail()}</span>}</Show>
      </span>
      <Show when={place('$country')}>
        {(country) => (
          <span class="event-place">
            <Flag country={country()} /> {place('$city') || formatCountry(country())}
          </span>
        )}
      </Show>
    </div>
  )
}

function VisitRows(props: EventDrawerProps): JSX.Element {
  const workspace = useWorkspace()
  return (
    <dl class="event-properties">
      <div>
        <dt>{t('live.session')}</dt>
        <dd>
          <a
            href={sessionHref(workspace().project.id, props.event.sessionId)}
            data-tip={t('people.openSession')}
          >
            <code class="ui-ellipsis">{props.event.sessionId}</code>
          </a>
        </dd>
        <dd>
          <IconButton
            tone="ghost"
            size="small"
            name={t('live.showSession')}
            onClick={() => props.onFilterSession(props.event.sessionId)}
          >
            <Filter />
          </IconButton>
        </dd>
      </div>
    </dl>
  )
}

function PropertyRows(props: {
  readonly values: Readonly<Record<string, unknown>>
  readonly source: PropertyRef['source']
  readonly onFilter: EventDrawerActions['onFilterProperty']
}): JSX.Element {
  const rows = (): readonly (readonly [string, string])[] =>
    Object.entries(props.values)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const)
      .sort(([a], [b]) => a.localeCompare(b))
  const refOf = (property: string): PropertyRef => ({ property, source: props.source })
  return (
    <Show when={rows().length > 0} fallback={<p class="event-none">{t('live.noProperties')}</p>}>
      <dl class="event-properties">
        <For each={rows()}>
          {([name, value]) => (
            <div>
              <dt data-tip={name}>{labelOfProperty(refOf(name))}</dt>
              <dd>
                <code>{value}</code>
              </dd>
              <dd>
                <IconButton
                  tone="ghost"
                  size="small"
                  name={t('live.filterBy', { property: labelOfProperty(refOf(name)) })}
                  onClick={() => props.onFilter(refOf(name), value)}
                >
                  <Filter />
                </IconButton>
              </dd>
            </div>
          )}
        </For>
      </dl>
    </Show>
  )
}

function Foot(props: { readonly person: NamedPerson }): JSX.Element {
  const workspace = useWorkspace()
  return (
    <footer class="event-foot">
      <span class="event-keys" aria-hidden="true">
        <Keys keys={['J', 'K']} /> {t('live.nextPrevious')}
      </span>
      <a href={personHref(workspace().project.id, props.person)}>{t('live.openPerson')}</a>
    </footer>
  )
}
