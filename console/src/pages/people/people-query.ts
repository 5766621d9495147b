import { create } from '@bufbuild/protobuf'
import type { PropertyFilter } from '@contract/common/v1/filter_pb.js'
import type { Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import {
  type ListRequest,
  ListRequestSchema,
  ProfilesService,
} from '@contract/shared/profiles/v1/profiles_service_pb.js'
import type { CohortFilterDraft } from '../../cohorts/cohort-filters.ts'
import { EXPORT_MAX } from '../../people/people-queries.ts'
import { clientOf } from '../../rpc/client.ts'
import type { Sorting } from '../../ui/table.tsx'
import { DEFAULT_SORTING, orderOf, type SortKey } from './list-state.ts'

const profilesClient = clientOf(ProfilesService)

const PAGE_PEOPLE = 100
const EXPORT_PAGE = 1000

/** The query of a list of people. */
export interface PeopleQuery {
  readonly search: string
  readonly filters: readonly PropertyFilter[]
  readonly cohorts: readonly CohortFilterDraft[]
  readonly sorting: Sorting<SortKey>
}

/** A page of the list. */
export interface PeoplePageAnswer {
  readonly profiles: readonly Profile[]
  readonly nextPageToken: string
  /** The people of the project, and those of all pages: on the first page, 0 on the others. */
  readonly total: number
  readonly matching: number
}

function requestOf({ search, filters, cohorts, sorting }: PeopleQuery): ListRequest {
  return create(ListRequestSchema, {
    search,
    filterGroups: filters.length === 0 ? [] : [{ filters: [...filters] }],
    cohorts: cohorts.map(({ cohortId, negate }) => ({ cohortId, negate })),
    ...orderOf(sorting),
  })
}

/** One page of people. */
export async function listPeople(
  query: PeopleQuery,
  pageToken: string,
  signal: AbortSignal,
): Promise<PeoplePageAnswer> {
  const request = {
    ...requestOf(query),
    pageSize: PAGE_PEOPLE,
    pageToken,
    withCounts: pageToken === '',
  }
  const profiles: Profile[] = []
  let [nextPageToken, total, matching] = ['', 0, 0]
  for await (const frame of profilesClient.list(request, { signal })) {
    profiles.push(...frame.profiles)
    nextPageToken = frame.nextPageToken
    total += Number(frame.totalProfiles)
    matching += Number(frame.matchingProfiles)
  }
  return { profiles, nextPageToken, total, matching }
}

/** People of the sample of a cohort. */
const SAMPLE_PEOPLE = 8

/** The people of a cohort that were last seen, and the number of all. */
export async function samplePeople(
  cohortId: string,
  signal: AbortSignal,
): Promise<Pick<PeoplePageAnswer, 'profiles' | 'matching'>> {
  const cohorts = [{ cohortId, negate: false }]
  const query: PeopleQuery = { search: '', filters: [], cohorts, sorting: DEFAULT_SORTING }
  const request = { ...requestOf(query), pageSize: SAMPLE_PEOPLE, withCounts: true }
  const profiles: Profile[] = []
  let matching = 0
  for await (const frame of profilesClient.list(request, { signal })) {
    profiles.push(...frame.profiles)
    matching += Number(frame.matchingProfiles)
  }
  return { profiles, matching }
}

/** The number of people of the project. */
export async function countAllPeople(signal: AbortSignal): Promise<number> {
  const request = create(ListRequestSchema, { pageSize: 1, withCounts: true })
  let total = 0
  for await (const frame of profilesClient.list(request, { signal })) total += Number(frame.totalProfiles)
  return total
}

/** Every page of people, for an export. */
export async function* listAllPeople(
  query: PeopleQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly Profile[]> {
  let [pageToken, count] = ['', 0]
  do {
    const request = { ...requestOf(query), pageSize: EXPORT_PAGE, pageToken }
    for await (const frame of profilesClient.list(request, { signal })) {
      count += frame.profiles.length
      pageToken = frame.nextPageToken
      yield frame.profiles
    }
  } while (pageToken !== '' && count < EXPORT_MAX)
}
