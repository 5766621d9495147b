import { toJsonString } from '@bufbuild/protobuf'
import { type ActivityEvent, ActivityEventSchema } from '@contract/shared/activity/v1/activity_pb.js'
import LineChart from 'lucide-solid/icons/chart-line'
import ChevronDown from 'lucide-solid/icons/chevron-down'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import Copy from 'lucide-solid/icons/copy'
import Footprints from 'lucide-solid/icons/footprints'
import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { currentLocation } from '../context/router.ts'
import { useWorkspace } from '../context/workspace.ts'
import { formatMoment, formatMoney, formatTime } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { EventIcon } from '../picker/entry-icons.tsx'
import { ButtonLink, IconButton } from '../ui/button.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { copyWithToast } from './copy-text.ts'
import { describeEvent } from './describe-event.ts'
import { writeProperty } from './property-list.tsx'
import { hasSession, sessionHref, type TimelineItem, timeOf } from './visits.ts'

/** An event of a timeline, which opens in place; equal page views open one by one. */
export function TimelineRow(props: { readonly item: TimelineItem }): JSX.Element {
  const [isUnfolded, setUnfolded] = createSignal(false)
  return (
    <>
      <EventRow
        event={props.item.event}
        more={
          <Show when={props.item.folded.length > 0 && !isUnfolded()}>
            <button type="button" class="timeline-unfold" onClick={() => setUnfolded(true)}>
              {t('people.morePageViews', { count: props.item.folded.length })}
            </button>
          </Show>
        }
      />
      <Show when={isUnfolded()}>
        <For each={props.item.folded}>{(event) => <EventRow event={event} />}</For>
      </Show>
    </>
  )
}

function EventRow(props: { readonly event: ActivityEvent; readonly more?: JSX.Element }): JSX.Element {
  const workspace = useWorkspace()
  const [isOpen, setOpen] = createSignal(false)
  const ms = (): number => timeOf(props.event)
  return (
    <li class="timeline-event" data-open={isOpen() ? '' : undefined}>
      <div class="timeline-row">
        <span class="timeline-icon" aria-hidden="true">
          <EventIcon event={props.event.kind} />
        </span>
        <button
          type="button"
          class="timeline-open"
          aria-expanded={isOpen()}
          onClick={() => setOpen(!isOpen())}
        >
          <b>{props.event.displayName || props.event.kind}</b>
          <span class="timeline-detail">{describeEvent(props.event, formatMoney)}</span>
          <time datetime={new Date(ms()).toISOString()} title={formatMoment(ms(), workspace().timeZone)}>
            {formatTime(ms(), workspace().timeZone)}
          </time>
          {isOpen() ? <ChevronDown /> : <ChevronRight />}
        </button>
        {props.more}
      </div>
      <Show when={isOpen()}>
        <EventDetails event={props.event} />
      </Show>
    </li>
  )
}

type DetailView = 'own' | 'auto' | 'json'

/** The properties of an event, those of page and visit, and all as JSON. */
function EventDetails(props: { readonly event: ActivityEvent }): JSX.Element {
  const workspace = useWorkspace()
  const hasOwn = (): boolean => Object.keys(props.event.customProperties ?? {}).length > 0
  const [view, setView] = createSignal<DetailView>(hasOwn() ? 'own' : 'auto')
  const json = (): string => toJsonString(ActivityEventSchema, props.event, { prettySpaces: 2 })
  const insight = (): string => {
    const spec = JSON.stringify({
      insightType: 'INSIGHT_TYPE_TRENDS',
      events: [{ event: { kind: props.event.kind } }],
    })
    return `/p/${workspace().project.id}/insights?${new URLSearchParams({ spec })}`
  }
  const hasLink = (): boolean =>
    hasSession(props.event) && currentLocation().query.get('session') !== props.event.sessionId
  return (
    <div class="timeline-details">
      <header>
        <Tabs
          label={t('people.eventViews')}
          choices={[
            { value: 'own', label: t('people.eventProperties') },
            { value: 'auto', label: t('people.pageAndVisit') },
            { value: 'json', label: 'JSON' },
          ]}
          value={view()}
          onChange={setView}
        />
        <span class="timeline-actions">
          <Show when={hasLink()}>
            <ButtonLink
              size="small"
              tone="ghost"
              icon={<Footprints />}
              href={sessionHref(workspace().project.id, props.event.sessionId)}
            >
              {t('people.openSession')}
            </ButtonLink>
          </Show>
          <ButtonLink size="small" tone="ghost" icon={<LineChart />} href={insight()}>
            {t('people.openInInsights')}
          </ButtonLink>
          <IconButton
            size="small"
            tone="ghost"
            name={t('people.copyEvent')}
            onClick={() => void copyWithToast(json())}
          >
            <Copy />
          </IconButton>
        </span>
      </header>
      <Switch>
        <Match when={view() === 'own'}>
          <Values values={props.event.customProperties ?? {}} />
        </Match>
        <Match when={view() === 'auto'}>
          <Values values={props.event.autoProperties ?? {}} />
        </Match>
        <Match when={view() === 'json'}>
          <pre tabindex="0">
            <code>{json()}</code>
          </pre>
        </Match>
      </Switch>
    </div>
  )
}

function Values(props: { readonly values: Readonly<Record<string, unknown>> }): JSX.Element {
  const entries = () => Object.entries(props.values).sort(([left], [right]) => left.localeCompare(right))
  return (
    <Show when={entries().length > 0} fallback={<p class="people-note">{t('people.noProperties')}</p>}>
      <dl class="timeline-values">
        <For each={entries()}>
          {([name, value]) => (
            <div>
              <dt title={name}>{name}</dt>
              <dd>{writeProperty(value)}</dd>
            </div>
          )}
        </For>
      </dl>
    </Show>
  )
}
