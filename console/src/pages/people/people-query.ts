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
import { orderOf, type SortKey } from './list-state.ts'

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
