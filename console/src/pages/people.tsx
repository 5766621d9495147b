import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { PropertyFilter } from '@contract/common/v1/filter_pb.js'
import type { Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import { ProfilesService } from '@contract/shared/profiles/v1/profiles_service_pb.js'
import { createResource, For, type JSX, Show } from 'solid-js'
import { RemountOnNavigation } from '../context/remount.tsx'
import { useWorkspace } from '../context/workspace.ts'
import { formatCountry, formatMoment, formatNumber } from '../format/values.ts'
import { createFilters, FilterBar } from '../insights/filter-bar.tsx'
import type { FilterSubjects } from '../insights/filter-rows.tsx'
import { clientOf } from '../rpc/client.ts'
import { Failure } from '../rpc/failure.ts'
import { createAction } from '../ui/action.ts'
import { Async, Empty, ErrorBox } from '../ui/async.tsx'
import { PersonPage } from './person.tsx'

const profilesClient = clientOf(ProfilesService)

/** The list of people, or one person. */
export function PeoplePage(props: { readonly rest: string }): JSX.Element {
  return (
    <Show
      when={props.rest}
      keyed
      fallback={
        <RemountOnNavigation>
          <PeopleList />
        </RemountOnNavigation>
      }
    >
      {(reference) => <PersonPage reference={reference} />}
    </Show>
  )
}

/** Event filters match the latest event that has the property, and only properties of page and visit. */
const SUBJECTS: FilterSubjects = {
  choices: [
    { value: 'person', label: 'properties' },
    { value: 'event', label: 'the last event' },
  ],
  properties: (schema) => schema.properties().filter((name) => name.startsWith('$')),
}

interface Page {
  readonly profiles: readonly Profile[]
  readonly nextPageToken: string
}

async function listPage(filters: readonly PropertyFilter[], pageToken: string): Promise<Page> {
  const filterGroups = filters.length === 0 ? [] : [{ filters: [...filters] }]
  const profiles: Profile[] = []
  let nextPageToken = ''
  for await (const frame of profilesClient.list({ pageToken, filterGroups })) {
    profiles.push(...frame.profiles)
    nextPageToken = frame.nextPageToken
  }
  return { profiles, nextPageToken }
}

function PeopleList(): JSX.Element {
  const filters = createFilters()
  const [page, { refetch, mutate }] = createResource(
    filters.ready,
    async (ready) => await listPage(ready, ''),
  )
  const more = createAction()
  const readMore = async (shown: Page): Promise<void> => {
    const next = await listPage(filters.ready(), shown.nextPageToken)
    mutate({ ...next, profiles: [...shown.profiles, ...next.profiles] })
  }
  return (
    <>
      <header class="page-head">
        <div>
          <h1>People</h1>
          <p class="quiet">Newest first. Anonymous visitors have no name.</p>
        </div>
      </header>
      <FilterBar
        filters={filters}
        subjects={SUBJECTS}
        path="filterGroups[0].filters"
        problem={(path) => (page.error ? Failure.from(page.error).violations.get(path) : undefined)}
      />
      <Async of={page} retry={() => void refetch()} lines={12}>
        {(shown) => (
          <Show
            when={shown().profiles.length > 0}
            fallback={
              <Empty title={filters.ready().length === 0 ? 'No people yet' : 'No people match'}>
                A person appears with their first event, or when they are identified.
              </Empty>
            }
          >
            <PeopleTable profiles={shown().profiles} />
            <Show when={more.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
            <Show when={shown().nextPageToken !== ''}>
              <button
                type="button"
                class="button"
                disabled={more.isRunning()}
                onClick={() => more.run(async () => await readMore(shown()))}
              >
                Show more
              </button>
            </Show>
          </Show>
        )}
      </Async>
    </>
  )
}

/** The name of a person: a property, or an ID. */
export function nameOf({ properties, externalId, id }: Profile): string {
  const name = properties?.name ?? properties?.email
  if (typeof name === 'string' && name !== '') return name
  return externalId === '' ? id : externalId
}

function PeopleTable(props: { readonly profiles: readonly Profile[] }): JSX.Element {
  const workspace = useWorkspace()
  const hrefOf = ({ id }: Profile): string =>
    `/p/${workspace().project.id}/people/${encodeURIComponent(`id:${id}`)}`
  return (
    <section class="card table-scroll" tabindex="0" aria-label="People">
      <table>
        <thead>
          <tr>
            <th scope="col">Person</th>
            <th scope="col">User ID</th>
            <th scope="col">Country</th>
            <th scope="col" class="number">
              Events
            </th>
            <th scope="col">Last seen ({workspace().timeZone})</th>
          </tr>
        </thead>
        <tbody>
          <For each={props.profiles}>
            {(profile) => (
              <tr>
                <td>
                  <a href={hrefOf(profile)}>{nameOf(profile)}</a>
                </td>
                <td class="quiet">{profile.externalId === '' ? 'anonymous' : profile.externalId}</td>
                <td>{formatCountry(profile.activity?.country ?? '')}</td>
                <td class="number">{formatNumber(profile.activity?.totalEvents ?? 0n)}</td>
                <td>
                  {profile.activity?.lastSeen
                    ? formatMoment(timestampMs(profile.activity.lastSeen), workspace().timeZone)
                    : ''}
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  )
}
