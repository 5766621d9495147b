import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import type { Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import { type JSX, Show } from 'solid-js'
import { formatAgo } from '../../format/ago.ts'
import { formatCountry, formatDay, formatMoment, formatNumber, isoOf, NO_VALUE } from '../../format/values.ts'
import { type NameKey, t } from '../../i18n/translate.ts'
import { isOnline } from '../../people/person-badges.tsx'
import { writeProperty } from '../../people/property-list.tsx'
import { Flag } from '../../ui/flag.tsx'
import { LiveDot } from '../../ui/spinner.tsx'
import type { ColumnChoice, FixedColumn } from './columns.ts'

/** How a column is drawn and exported. */
interface ColumnView {
  readonly title: NameKey
  readonly kind?: 'number'
  readonly cell: (profile: Profile, now: { readonly nowMs: number; readonly timeZone: string }) => JSX.Element
  readonly text: (profile: Profile) => string | number
}

const FIXED: Readonly<Record<FixedColumn, ColumnView>> = {
  location: {
    title: 'people.location',
    cell: (profile) => <Place profile={profile} />,
    text: ({ activity }) => [activity?.country, activity?.city].filter((part) => part).join(' '),
  },
  'user-id': {
    title: 'people.userId',
    cell: ({ externalId }) => externalId || NO_VALUE,
    text: ({ externalId }) => externalId,
  },
  events: {
    title: 'people.events',
    kind: 'number',
    cell: ({ activity }) => formatNumber(activity?.totalEvents ?? 0n),
    text: ({ activity }) => Number(activity?.totalEvents ?? 0n),
  },
  sessions: {
    title: 'people.sessions',
    kind: 'number',
    cell: ({ activity }) => formatNumber(activity?.sessions ?? 0n),
    text: ({ activity }) => Number(activity?.sessions ?? 0n),
  },
  'first-seen': {
    title: 'people.firstSeen',
    cell: ({ activity }, { timeZone }) => (
      <Moment time={activity?.firstSeen} timeZone={timeZone} write={(ms) => formatDay(ms, timeZone)} />
    ),
    text: ({ activity }) => isoOf(activity?.firstSeen),
  },
  'last-seen': {
    title: 'people.lastSeen',
    cell: (profile, now) => (
      <Show
        when={isOnline(profile, now.nowMs)}
        fallback={
          <Moment
            time={profile.activity?.lastSeen}
            timeZone={now.timeZone}
            write={(ms) => formatAgo(ms, now)}
          />
        }
      >
        <span class="people-online">
          <LiveDot /> {t('people.online')}
        </span>
      </Show>
    ),
    text: ({ activity }) => isoOf(activity?.lastSeen),
  },
}

/** How a column is drawn and exported. */
export function viewOfColumn({
  kind,
  name,
}: ColumnChoice): Omit<ColumnView, 'title'> & { readonly title: string } {
  if (kind === 'fixed') return { ...FIXED[name], title: t(FIXED[name].title) }
  return {
    title: name,
    cell: ({ properties }) => <span class="people-cell">{writeProperty(properties?.[name])}</span>,
    text: ({ properties }) => {
      const value = properties?.[name]
      return typeof value === 'number' ? value : value === undefined ? '' : writeProperty(value)
    },
  }
}

function Place(props: { readonly profile: Profile }): JSX.Element {
  const country = (): string => props.profile.activity?.country ?? ''
  const place = (): string => props.profile.activity?.city || formatCountry(country())
  return (
    <Show when={place() !== ''} fallback={NO_VALUE}>
      <span class="people-place">
        <Flag country={country()} />
        <span>{place()}</span>
      </span>
    </Show>
  )
}

function Moment(props: {
  readonly time: Timestamp | undefined
  readonly timeZone: string
  readonly write: (ms: number) => string
}): JSX.Element {
  return (
    <Show when={props.time} fallback={NO_VALUE}>
      {(time) => (
        <time datetime={isoOf(time())} data-tip={formatMoment(timestampMs(time()), props.timeZone)}>
          {props.write(timestampMs(time()))}
        </time>
      )}
    </Show>
  )
}
