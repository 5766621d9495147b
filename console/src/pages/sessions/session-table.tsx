import type { Visit } from '@contract/millrace/web/v1/visits_service_pb.js'
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { createClock } from '../../context/clock.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { formatAgo } from '../../format/ago.ts'
import { formatMoment, formatNumber, NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { PersonAvatar } from '../../people/person-avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { iconOf } from '../../ui/value-icon.tsx'
import { type DimensionName, labelOfValue } from '../overview/dimensions.ts'
import { lengthOf, personOf, placeOf, sourceOf, startOf } from './describe-session.ts'

const phones = matchMedia('(max-width: 767px)')

/** Whether the window has the width of a phone. */
function useIsPhone(): () => boolean {
  const [isPhone, setPhone] = createSignal(phones.matches)
  const follow = (event: MediaQueryListEvent): void => void setPhone(event.matches)
  phones.addEventListener('change', follow)
  onCleanup(() => phones.removeEventListener('change', follow))
  return isPhone
}

/** Sessions as rows, which open beside the list. */
export function SessionTable(props: {
  readonly visits: readonly Visit[]
  /** Empty for none. */
  readonly openId: string
  readonly hrefOf: (sessionId: string) => string
  readonly onOpen: (sessionId: string) => void
}): JSX.Element {
  const isPhone = useIsPhone()
  const nowMs = createClock()
  const started: Column<Visit> = {
    key: 'started',
    title: t('sessions.started'),
    cell: (visit) => <Started visit={visit} href={props.hrefOf(visit.sessionId)} nowMs={nowMs()} />,
  }
  const columns = (): readonly Column<Visit>[] => {
    if (isPhone()) return [personColumn('with details'), started]
    // The open session takes room from the list.
    const others = props.openId === '' ? originColumns() : []
    return [personColumn('alone'), started, ...measureColumns(), ...others]
  }
  return (
    <Table
      label={t('shell.sessions')}
      columns={columns()}
      rows={props.visits}
      onOpen={({ sessionId }) => props.onOpen(sessionId)}
      isSelected={({ sessionId }) => sessionId === props.openId}
    />
  )
}

function personColumn(shows: 'alone' | 'with details'): Column<Visit> {
  return {
    key: 'person',
    title: t('people.person'),
    kind: 'wide',
    cell: (visit) => (
      <>
        <PersonCell visit={visit} />
        <Show when={shows === 'with details'}>
          <span class="session-details">{detailsOf(visit)}</span>
        </Show>
      </>
    ),
  }
}

/** The second line of a row on phones: length, number of events, entry page. */
function detailsOf(visit: Visit): string {
  const parts = [
    visit.bounced ? t('sessions.bounced') : lengthOf(visit),
    t('people.eventCount', { count: Number(visit.events) }),
    visit.entryPage,
  ]
  return parts.filter((part) => part !== '').join(' \u00b7 ')
}

function measureColumns(): readonly Column<Visit>[] {
  return [
    {
      key: 'duration',
      title: t('sessions.duration'),
      kind: 'number',
      cell: (visit) => (
        <Show when={visit.bounced} fallback={lengthOf(visit)}>
          <Badge>{t('sessions.bounced')}</Badge>
        </Show>
      ),
    },
    {
      key: 'events',
      title: t('people.events'),
      kind: 'number',
      cell: ({ events }) => formatNumber(events),
    },
    {
      key: 'page-views',
      title: t('people.pageViews'),
      kind: 'number',
      cell: ({ pageViews }) => formatNumber(pageViews),
    },
    {
      key: 'entry',
      title: t('overview.dimensionEntry'),
      cell: ({ entryPage }) => <Cut text={entryPage} />,
    },
    {
      key: 'exit',
      title: t('overview.dimensionExit'),
      cell: ({ exitPage }) => <Cut text={exitPage} />,
    },
  ]
}

function originColumns(): readonly Column<Visit>[] {
  return [
    {
      key: 'source',
      title: t('people.source'),
      cell: (visit) => <IconCell dimension="channel" value={visit.channel} text={sourceOf(visit)} />,
    },
    {
      key: 'location',
      title: t('people.location'),
      cell: (visit) => <IconCell dimension="country" value={visit.country} text={placeOf(visit)} />,
    },
    {
      key: 'device',
      title: t('people.device'),
      cell: ({ deviceType, browser }) => (
        <IconCell
          dimension="device"
          value={deviceType}
          text={browser || (deviceType === '' ? '' : labelOfValue('device', deviceType))}
        />
      ),
    },
  ]
}

function PersonCell(props: { readonly visit: Visit }): JSX.Element {
  const workspace = useWorkspace()
  const person = () => personOf(props.visit.visitor, workspace().project.id)
  return (
    <span class="people-name session-person">
      <PersonAvatar id={person().id} person={person().name} />
      <Show when={person().href} fallback={<span class="session-visitor">{person().name.name}</span>}>
        {(href) => <a href={href()}>{person().name.name}</a>}
      </Show>
    </span>
  )
}

function Started(props: {
  readonly visit: Visit
  readonly href: string
  readonly nowMs: number
}): JSX.Element {
  const workspace = useWorkspace()
  const ms = (): number => startOf(props.visit)
  return (
    <a href={props.href} data-tip={formatMoment(ms(), workspace().timeZone)}>
      <time datetime={new Date(ms()).toISOString()}>
        {formatAgo(ms(), { nowMs: props.nowMs, timeZone: workspace().timeZone })}
      </time>
    </a>
  )
}

function Cut(props: { readonly text: string }): JSX.Element {
  return (
    <span class="session-cut" title={props.text}>
      {props.text || NO_VALUE}
    </span>
  )
}

/** A value after its icon; a dash where there is none. */
function IconCell(props: {
  readonly dimension: DimensionName
  readonly value: string
  readonly text: string
}): JSX.Element {
  const icon = () => iconOf(props.dimension, props.value)
  return (
    <Show when={props.text !== ''} fallback={NO_VALUE}>
      <span class="people-place session-cut" title={props.text}>
        {icon()?.()} <span>{props.text}</span>
      </span>
    </Show>
  )
}
