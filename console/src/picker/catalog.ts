import { type Timestamp, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type { GetFilterSchemaResponse, PropertyKeyMeta } from '@contract/common/v1/filter_schema_pb.js'
import { PropertySource } from '@contract/common/v1/property_pb.js'
import { GoalsService } from '@contract/millrace/web/v1/goals_service_pb.js'
import { InsightsService } from '@contract/shared/insights/v1/insights_service_pb.js'
import type { RangeMs } from '@domain/time-ranges.ts'
import { useQuery } from '@tanstack/solid-query'
import { createMemo, createSignal } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import { type Entry, type EventEntry, KIND_OF_SOURCE, keyOfEntry, type PropertyEntry } from './entries.ts'
import { type EventFacts, readEventFacts } from './event-facts.ts'
import type { PropertyRef, Source } from './filter-draft.ts'
import { goalEntries } from './goal-entries.ts'
import { describeSource, labelOfProperty } from './names.ts'
import { addRecent, readRecent, writeRecent } from './recent-choices.ts'
import { recentDays } from './recent-events.ts'
import { type ValueType, valueTypeOf } from './value-types.ts'

const insightsClient = clientOf(InsightsService)
const goalsClient = clientOf(GoalsService)

/** New names appear in the picker after this time at the latest. */
const FRESH_MS = 60_000

/** The facts of an event change slowly, and cost more than a list of names. */
const FACTS_FRESH_MS = 300_000

/** A value of a property, and how frequent it is. */
export interface KnownValue {
  readonly value: string
  readonly count: number | undefined
}

/** The values of a property that have loaded. */
export interface ValueList {
  readonly values: () => readonly KnownValue[]
  readonly isLoading: () => boolean
}

/** The values of a property to list. */
export interface ValuesQuery extends PropertyRef {
  /** The event that has them; empty for all. */
  readonly event: string
  /** A text that they contain; empty for every value. */
  readonly search: string
}

/** The facts about an event that have loaded. */
export interface KnownFacts {
  readonly facts: () => EventFacts | undefined
  readonly hasFailed: () => boolean
}

/** The names of a project, with their values and facts. */
export interface Catalog {
  /** Reads the names now, so that a picker opens with them; it reads them itself otherwise, and again after a failure. */
  readonly load: () => void
  readonly isLoading: () => boolean
  readonly hasFailed: () => boolean
  /** Events, properties and goals, the most frequent first within their kind. */
  readonly entries: () => readonly Entry[]
  /** The most frequent type of a property; text until it has loaded. */
  readonly typeOf: (property: PropertyRef) => ValueType
  /** The most frequent values of a property. Called once by a component; the query may change. */
  readonly createValues: (query: () => ValuesQuery | undefined) => ValueList
  /** The facts about an event, empty for all events. Called once by a component; the event may change. */
  readonly createFacts: (event: () => string | undefined) => KnownFacts
  /** The zone of the project's days. */
  readonly timeZone: () => string
  /** Keys of recently chosen entries, latest first. */
  readonly recent: () => readonly string[]
  readonly remember: (entry: Entry) => void
  /** The address of the page that shows events as they arrive. */
  readonly liveHref: () => string
}

/** The catalog of the current project. Called by a component of the project's pages. */
export function createCatalog(): Catalog {
  const workspace = useWorkspace()
  const projectId = (): string => workspace().project.id
  const timeZone = (): string => workspace().timeZone
  const [isWanted, setWanted] = createSignal(false)
  // One range for the whole page: another one would fetch every answer again.
  const range = createMemo(() => recentDays(Date.now(), timeZone()))
  const schema = useQuery(() => ({
    queryKey: ['catalog', projectId(), range().fromMs],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      await insightsClient.getFilterSchema({ recentSince: timestampFromMs(range().fromMs) }, { signal }),
    enabled: isWanted(),
    staleTime: FRESH_MS,
  }))
  const goals = useQuery(() => ({
    queryKey: ['catalog-goals', projectId()],
    queryFn: async () => (await goalsClient.list({})).goals,
    enabled: isWanted(),
    staleTime: FRESH_MS,
  }))
  const entries = createMemo(() => [
    ...(schema.isSuccess ? eventEntries(schema.data) : []),
    ...(goals.isSuccess ? goalEntries(goals.data) : []),
    ...(schema.isSuccess ? propertyEntries(schema.data) : []),
  ])
  return {
    load: () => {
      setWanted(true)
      if (schema.isError) void schema.refetch()
    },
    isLoading: () => schema.isPending,
    hasFailed: () => schema.isError,
    entries,
    typeOf: createTypes(entries),
    createValues: (query) => createValues(projectId, query),
    createFacts: (event) => createFacts({ projectId, range }, event),
    ...createRecent(projectId),
    timeZone,
    liveHref: () => `/p/${projectId()}/live`,
  }
}

function createRecent(projectId: () => string): Pick<Catalog, 'recent' | 'remember'> {
  const [version, setVersion] = createSignal(0)
  const recent = createMemo(() => {
    version()
    return readRecent(projectId())
  })
  return {
    recent,
    remember: (entry) => {
      writeRecent(projectId(), addRecent(recent(), keyOfEntry(entry)))
      setVersion((before) => before + 1)
    },
  }
}

function createTypes(entries: () => readonly Entry[]): Catalog['typeOf'] {
  const types = createMemo(
    () =>
      new Map(
        entries().flatMap((entry) =>
          'valueType' in entry ? [[`${entry.source} ${entry.property}`, entry.valueType] as const] : [],
        ),
      ),
  )
  return ({ property, source }) => types().get(`${source} ${property}`) ?? 'text'
}

const SOURCE_NUMBERS = {
  PROPERTY_SOURCE_AUTO: PropertySource.AUTO,
  PROPERTY_SOURCE_CUSTOM: PropertySource.CUSTOM,
  PROPERTY_SOURCE_PROFILE: PropertySource.PROFILE,
  PROPERTY_SOURCE_SESSION_ENTRY: PropertySource.SESSION_ENTRY,
  PROPERTY_SOURCE_FIRST_TOUCH: PropertySource.FIRST_TOUCH,
} as const satisfies Record<Source, PropertySource>

function createValues(projectId: () => string, query: () => ValuesQuery | undefined): ValueList {
  const answer = useQuery(() => {
    const { property = '', source = 'PROPERTY_SOURCE_AUTO', event = '', search = '' } = query() ?? {}
    // A person has no event, so its values are those of every event.
    const eventKind = source === 'PROPERTY_SOURCE_PROFILE' ? '' : event
    const request = { propertyKey: property, source: SOURCE_NUMBERS[source], eventKind, search }
    return {
      queryKey: ['property-values', projectId(), property, source, eventKind, search],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly KnownValue[]> => {
        const { values, counts } = await insightsClient.getPropertyValues(request, { signal })
        return values.map((value, at): KnownValue => ({ value, count: Number(counts[at] ?? 0) }))
      },
      enabled: property !== '',
      staleTime: FRESH_MS,
      // While a search runs, the values of the last one stay.
      placeholderData: (
        before: readonly KnownValue[] | undefined,
        last: { readonly queryKey: readonly unknown[] } | undefined,
      ) => (last?.queryKey[2] === property && last.queryKey[3] === source ? before : undefined),
    }
  })
  return {
    // Without an answer, values can still be typed.
    values: () => (answer.isSuccess ? answer.data : []),
    isLoading: () => answer.isFetching && (!answer.isSuccess || answer.isPlaceholderData),
  }
}

function createFacts(
  { projectId, range }: { readonly projectId: () => string; readonly range: () => RangeMs },
  event: () => string | undefined,
): KnownFacts {
  const answer = useQuery(() => {
    const kind = event()
    return {
      queryKey: ['event-facts', projectId(), range().fromMs, kind ?? ''],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        await readEventFacts(kind ?? '', range(), signal),
      enabled: kind !== undefined,
      staleTime: FACTS_FRESH_MS,
    }
  })
  return {
    facts: () => (event() !== undefined && answer.isSuccess ? answer.data : undefined),
    hasFailed: () => answer.isError,
  }
}

/** Events by their number in the last 30 days: names without recent events are last. */
function eventEntries({ events }: GetFilterSchemaResponse): readonly EventEntry[] {
  return events
    .map(
      ({ name, displayName, description, recentCount, firstSeenAt, lastSeenAt }): EventEntry => ({
        kind: 'event',
        id: name,
        label: displayName || name,
        ...(displayName !== '' && displayName !== name && { sentName: name }),
        ...(description !== '' && { description }),
        event: name,
        filters: [],
        count: Number(recentCount),
        ...(firstSeenAt && { firstSeenMs: timestampMs(firstSeenAt) }),
        ...seenAt(lastSeenAt),
      }),
    )
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0))
}

function seenAt(time: Timestamp | undefined): { readonly lastSeenMs?: number } {
  return time ? { lastSeenMs: timestampMs(time) } : {}
}

function propertyEntries(schema: GetFilterSchemaResponse): readonly PropertyEntry[] {
  return [
    ...entriesOfSource(schema.customPropertyKeys, 'PROPERTY_SOURCE_CUSTOM'),
    ...entriesOfSource(schema.profilePropertyKeys, 'PROPERTY_SOURCE_PROFILE'),
    ...entriesOfSource(schema.autoPropertyKeys, 'PROPERTY_SOURCE_AUTO'),
    ...entriesOfSource(schema.sessionEntryPropertyKeys, 'PROPERTY_SOURCE_SESSION_ENTRY'),
    ...entriesOfSource(schema.firstTouchPropertyKeys, 'PROPERTY_SOURCE_FIRST_TOUCH'),
  ]
}

function entriesOfSource(keys: readonly PropertyKeyMeta[], source: Source): readonly PropertyEntry[] {
  return keys.map(({ name, displayName, description: ownDescription, count, valueType, lastSeenAt }) => {
    const label = displayName || labelOfProperty({ property: name, source })
    const description = describeSource(source) ?? (ownDescription || undefined)
    return {
      kind: KIND_OF_SOURCE[source],
      id: name,
      label,
      ...(label !== name && { sentName: name }),
      ...(description !== undefined && { description }),
      property: name,
      source,
      valueType: valueTypeOf(valueType),
      count: Number(count),
      ...seenAt(lastSeenAt),
    }
  })
}
