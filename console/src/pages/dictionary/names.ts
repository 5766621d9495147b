import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type DictionaryEvent,
  type DictionaryProperty,
  NameState,
} from '@contract/millrace/dictionary/v1/dictionary_pb.js'
import { DictionaryService } from '@contract/millrace/dictionary/v1/dictionary_service_pb.js'
import type { NameKey } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { queryClient } from '../../rpc/query-client.ts'
import './messages.ts'

/** Calls of the data dictionary. */
export const dictionaryClient = clientOf(DictionaryService)

/** A list of the dictionary. */
export type NameTab = 'events' | 'properties'

/** A name of either list. */
export type ListedName = DictionaryEvent | DictionaryProperty

/** Names on a page of a list. */
export const NAMES_PER_PAGE = 100

/** The states, in the order of choices, with their names. */
export const STATES = [
  { value: NameState.UNREVIEWED, label: 'dictionary.unreviewed' },
  { value: NameState.VERIFIED, label: 'dictionary.verified' },
  { value: NameState.HIDDEN, label: 'dictionary.hidden' },
  { value: NameState.DEPRECATED, label: 'dictionary.deprecated' },
  { value: NameState.BLOCKED, label: 'dictionary.blocked' },
] as const satisfies readonly { readonly value: NameState; readonly label: NameKey }[]

/** The name of a state; one without a definition is unreviewed. */
export function labelOfState(state: NameState | undefined): NameKey {
  return STATES.find(({ value }) => value === state)?.label ?? 'dictionary.unreviewed'
}

/** The names to list. */
export interface NameQuery {
  readonly tab: NameTab
  readonly search: string
  /** Undefined for any. */
  readonly state: NameState | undefined
  /** Undefined for any. */
  readonly newSinceMs: number | undefined
  readonly pageToken: string
}

/** One page of names. */
export interface NamePage {
  readonly names: readonly ListedName[]
  readonly nextPageToken: string
  readonly totalCount: number
  /** Whether the project may have more names than lists can show. */
  readonly truncated: boolean
}

/** Reads a page of a list. */
export async function readNames(
  { tab, search, state, newSinceMs, pageToken }: NameQuery,
  signal: AbortSignal,
): Promise<NamePage> {
  const request = {
    selection: {
      search: search.trim(),
      states: state === undefined ? [] : [state],
      ...(newSinceMs === undefined ? {} : { newSince: timestampFromMs(newSinceMs) }),
    },
    pageSize: NAMES_PER_PAGE,
    pageToken,
  }
  if (tab === 'events') {
    const { events, ...page } = await dictionaryClient.listEvents(request, { signal })
    return { names: events, ...page }
  }
  const { properties, ...page } = await dictionaryClient.listProperties(request, { signal })
  return { names: properties, ...page }
}

/** The key of everything that is cached about the dictionary of a project. */
export function dictionaryKey(projectId: string): readonly string[] {
  return ['dictionary', projectId]
}

/** Reads the dictionary again after a change, and the names of pickers. */
export async function refreshDictionary(projectId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: dictionaryKey(projectId) }),
    queryClient.invalidateQueries({ queryKey: ['catalog', projectId] }),
  ])
}
