import { timestampMs } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import type { ActivityEvent, HeatmapDay } from '@contract/shared/activity/v1/activity_pb.js'
import { ActivityService } from '@contract/shared/activity/v1/activity_service_pb.js'
import type { Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import { ProfilesService } from '@contract/shared/profiles/v1/profiles_service_pb.js'
import { dateOf } from '@domain/calendar.ts'
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { formatCountry, formatMoment, formatNumber } from '../format/values.ts'
import { clientOf } from '../rpc/client.ts'
import { createAction } from '../ui/action.ts'
import { Async, Empty, ErrorBox } from '../ui/async.tsx'
import { EraseButton, HideButton } from './erase-person.tsx'
import { EventDrawer, Properties } from './event-drawer.tsx'
import { EventList } from './live.tsx'
import { nameOf } from './people.tsx'

const activityClient = clientOf(ActivityService)
const profilesClient = clientOf(ProfilesService)

const EVENTS_PER_PAGE = 50
const DAYS = 60
const DAY_MS = 86_400_000

/** Reads a person by `id:` and the ID of a profile, or by `user:` and the ID of an event. */
async function readProfile(reference: string): Promise<Profile | undefined> {
  const [, kind, id = ''] = /^(id|user):(.*)$/s.exec(reference) ?? []
  if (kind !== 'user') return (await profilesClient.get({ id })).profile
  try {
    return (await profilesClient.getByExternalId({ externalId: id })).profile
  } catch (thrown) {
    if (ConnectError.from(thrown).code !== Code.NotFound) throw thrown
    return (await profilesClient.get({ id })).profile
  }
}

/** One person: their profile and their events. */
export function PersonPage(props: { readonly reference: string }): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const [profile, { refetch }] = createResource(() => props.reference, readProfile)
  return (
    <Async of={profile} retry={() => void refetch()} lines={10}>
      {(person) => (
        <>
          <header class="page-head">
            <div>
              <p class="small">
                <a href={`/p/${workspace().project.id}/people`}>People</a>
              </p>
              <h1>{nameOf(person())}</h1>
            </div>
            <div class="row">
              <Show when={may(ProfilesService.method.delete)}>
                <HideButton id={person().id} name={nameOf(person())} />
              </Show>
              <Show when={person().externalId !== '' && may(ProfilesService.method.deleteDataSubject)}>
                <EraseButton externalId={person().externalId} />
              </Show>
            </div>
          </header>
          <section class="card">
            <Facts profile={person()} />
            <Properties title="Properties" values={person().properties ?? {}} />
          </section>
          <Heatmap distinctId={idOf(person())} />
          <h2>Timeline</h2>
          <Timeline distinctId={idOf(person())} />
        </>
      )}
    </Async>
  )
}

function idOf({ externalId, id }: Profile): string {
  return externalId === '' ? id : externalId
}

function Facts(props: { readonly profile: Profile }): JSX.Element {
  const workspace = useWorkspace()
  const facts = (): readonly (readonly [string, string])[] => {
    const { externalId, id, activity } = props.profile
    const moment = (time: Parameters<typeof timestampMs>[0] | undefined): string =>
      time ? `${formatMoment(timestampMs(time), workspace().timeZone)} (${workspace().timeZone})` : ''
    return [
      ['User ID', externalId === '' ? 'none (anonymous)' : externalId],
      ['Person ID', id],
      ['First seen', moment(activity?.firstSeen)],
      ['Last seen', moment(activity?.lastSeen)],
      ['Events', formatNumber(activity?.totalEvents ?? 0n)],
      ['Sessions', formatNumber(activity?.sessions ?? 0n)],
      ['Browser', `${activity?.browser ?? ''} ${activity?.browserVersion ?? ''}`.trim()],
      ['System', `${activity?.os ?? ''} ${activity?.osVersion ?? ''}`.trim()],
      ['Country', formatCountry(activity?.country ?? '')],
    ]
  }
  return (
    <dl class="facts">
      <For each={facts().filter(([, value]) => value !== '')}>
        {([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        )}
      </For>
    </dl>
  )
}

interface Day {
  /** `YYYY-MM-DD` in the project's zone. */
  readonly date: string
  readonly count: number
}

/** The last days with their event counts, including days without events. */
function fillDays(active: readonly HeatmapDay[], timeZone: string): readonly Day[] {
  const counts = new Map(active.map(({ date, count }) => [date, Number(count)]))
  const now = Date.now()
  return Array.from({ length: DAYS }, (_, index) => {
    const date = dateOf(now - (DAYS - 1 - index) * DAY_MS, timeZone)
    return { date, count: counts.get(date) ?? 0 }
  })
}

/** Events per day. The title of each day holds its count; the label summarises them. */
function Heatmap(props: { readonly distinctId: string }): JSX.Element {
  const workspace = useWorkspace()
  const [days, { refetch }] = createResource(async () => {
    const { days: active } = await activityClient.getActivityHeatmap({ distinctId: props.distinctId })
    return fillDays(active, workspace().timeZone)
  })
  return (
    <section class="card">
      <h2>Activity</h2>
      <Async of={days} retry={() => void refetch()} lines={2}>
        {(list) => {
          const max = (): number => Math.max(1, ...list().map(({ count }) => count))
          const activeCount = (): number => list().filter(({ count }) => count > 0).length
          return (
            <>
              <div
                class="heatmap"
                role="img"
                aria-label={`${activeCount()} of ${DAYS} days with events, at most ${max()} per day`}
              >
                <For each={list()}>
                  {({ date, count }) => (
                    <span
                      title={`${date}: ${formatNumber(count)}`}
                      style={{
                        background:
                          count > 0
                            ? `color-mix(in srgb, var(--heat) ${30 + 70 * (count / max())}%, transparent)`
                            : undefined,
                      }}
                    />
                  )}
                </For>
              </div>
              <p class="quiet small">Events per day, in {workspace().timeZone}</p>
            </>
          )
        }}
      </Async>
    </section>
  )
}

function Timeline(props: { readonly distinctId: string }): JSX.Element {
  const workspace = useWorkspace()
  const [opened, setOpened] = createSignal<ActivityEvent>()
  const read = async (pageToken: string) =>
    await activityClient.getActivityFeed({
      distinctId: props.distinctId,
      pageSize: EVENTS_PER_PAGE,
      pageToken,
    })
  const [feed, { refetch, mutate }] = createResource(async () => await read(''))
  const more = createAction()
  return (
    <Async of={feed} retry={() => void refetch()} lines={8}>
      {(shown) => (
        <Show when={shown().events.length > 0} fallback={<Empty title="No events yet" />}>
          <EventList events={shown().events} timeZone={workspace().timeZone} onOpen={setOpened} />
          <Show when={more.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
          <Show when={shown().nextPageToken !== ''}>
            <button
              type="button"
              class="button"
              disabled={more.isRunning()}
              onClick={() =>
                more.run(async () => {
                  const next = await read(shown().nextPageToken)
                  mutate({ ...next, events: [...shown().events, ...next.events] })
                })
              }
            >
              Show more
            </button>
          </Show>
          <Show when={opened()}>
            {(event) => <EventDrawer event={event()} onClose={() => setOpened(undefined)} />}
          </Show>
        </Show>
      )}
    </Async>
  )
}
