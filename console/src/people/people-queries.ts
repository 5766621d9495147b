import { create, toJsonString } from '@bufbuild/protobuf'
import type { Cohort } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import {
  ActorsService,
  type ListRequest,
  ListRequestSchema,
  type ListResponse,
} from '@contract/millrace/people/v1/actors_service_pb.js'
import { cohortsClient } from '../cohorts/cohort-list.ts'
import { clientOf } from '../rpc/client.ts'
import type { PeopleSource, PointInit } from './people-context.ts'

const actorsClient = clientOf(ActorsService)

const PAGE_PEOPLE = 100
/** People of a page of an export, the most that the service gives. */
const EXPORT_PAGE = 1000
/** People of a file; more would fill the memory of the browser. */
export const EXPORT_MAX = 100_000

/** The people behind a point of an answer. */
export function actorsRequest({ request }: PeopleSource, point: PointInit, search: string): ListRequest {
  return create(ListRequestSchema, { query: request, point, search })
}

/** Makes a cohort of all users behind a point; a search of the list does not narrow it. */
export async function saveActors({ query, point }: ListRequest, name: string): Promise<Cohort | undefined> {
  const request = { name, ...(query && { query }), ...(point && { point }) }
  return (await cohortsClient.saveFromPoint(request)).cohort
}

/** A request as text. */
export function keyOfRequest(request: ListRequest): string {
  return toJsonString(ListRequestSchema, request)
}

/** One page of people. */
export async function listActors(
  request: ListRequest,
  pageToken: string,
  signal: AbortSignal,
): Promise<ListResponse> {
  return await actorsClient.list({ ...request, pageSize: PAGE_PEOPLE, pageToken }, { signal })
}

/** Every page of people, for an export; it ends after {@link EXPORT_MAX} people. */
export async function* listAllActors(
  request: ListRequest,
  signal: AbortSignal,
): AsyncGenerator<ListResponse> {
  let [pageToken, count] = ['', 0]
  do {
    const page = await actorsClient.list({ ...request, pageSize: EXPORT_PAGE, pageToken }, { signal })
    count += page.users.length
    pageToken = page.nextPageToken
    yield page
  } while (pageToken !== '' && count < EXPORT_MAX)
}
