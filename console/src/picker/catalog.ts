import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import type {
  EventNameMeta,
  GetFilterSchemaResponse,
  PropertyKeyMeta,
} from '@contract/common/v1/filter_schema_pb.js'
import { PropertySource } from '@contract/common/v1/property_pb.js'
import { InsightsService } from '@contract/shared/insights/v1/insights_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createMemo, createSignal } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import { type Entry, type EventEntry, KIND_OF_SOURCE, keyOfEntry, type PropertyEntry } from './entries.ts'
import { isSameProperty, type PropertyRef, type Source } from './filter-draft.ts'
import { describeSource, labelOfProperty } from './names.ts'
import { addRecent, readRecent, writeRecent } from './recent-choices.ts'
import { type ValueType, valueTypeOf } from './value-types.ts'

const insightsClient = clientOf(InsightsService)

/** New names appear in the picker after this time at the latest. */
const FRESH_MS = 60_000

/** A value of a property, and how frequent it is. */
export interface KnownValue {
  readonly value: string
  readonly count: number | undefined
}

/** The values of a property as far as they are known. */
export interface ValueList {
  readonly values: () => readonly KnownValue[]
  readonly isLoading: () => boolean
}

/** The question for values of a property; undefined while none is needed. */
export type ValuesQuery = PropertyRef & { readonly event: string }

/** The names of a project, with what is known about them. */
export interface Catalog {
  /** Reads the names now, so that a picker opens with them; it reads them itself otherwise. */
  readonly load: () => void
  readonly isLoading: () => boolean
  readonly hasFailed: () => boolean
  /** Events, properties and goals, the most frequent first within their kind. */
  readonly entries: () => readonly Entry[]
  /** The type that a property has most often; text while it is not known. */
  readonly typeOf: (property: PropertyRef) => ValueType
  /** The most frequent values of a property. Called once by a component; the query may change. */
  readonly createValues: (query: () => ValuesQuery | undefined) => ValueList
  /** Keys of recently chosen entries, latest first. */
  readonly recent: () => readonly string[]
  readonly remember: (entry: Entry) => void
  /** Where events can be watched as they arrive. */
  readonly liveHref: () => string
}

/** The catalog of the current project. Called by a component of the project's pages. */
export function createCatalog(): Catalog {
  const workspace = useWorkspace()
  const projectId = (): string => workspace().project.id
  const [isWanted, setWanted] = createSignal(false)
  const schema = useQuery(() => ({
    queryKey: ['filter-schema', projectId()],
    queryFn: async ({ signal }) => await insightsClient.getFilterSchema({}, { signal }),
    enabled: isWanted(),
    staleTime: FRESH_MS,
  }))
  const entries = createMemo(() => (schema.isSuccess ? entriesOf(schema.data) : []))
  const recent = createRecent(projectId)
  return {
    load: () => void setWanted(true),
    isLoading: () => schema.isPending,
    hasFailed: () => schema.isError,
    entries,
    typeOf: createTypes(entries),
    createValues: (query) => createValues(projectId, query),
    ...recent,
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
    const { property = '', source = 'PROPERTY_SOURCE_AUTO', event = '' } = query() ?? {}
    // A person has no event, so its values are those of every event.
    const eventKind = source === 'PROPERTY_SOURCE_PROFILE' ? '' : event
    const request = { propertyKey: property, source: SOURCE_NUMBERS[source], eventKind }
    return {
      queryKey: ['property-values', projectId(), request],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await insightsClient.getPropertyValues(request, { signal })).values,
      enabled: property !== '',
      staleTime: FRESH_MS,
    }
  })
  return {
    // Without an answer, values can still be typed.
    values: () => (answer.isSuccess ? answer.data.map((value) => ({ value, count: undefined })) : []),
    isLoading: () => answer.isFetching && !answer.isSuccess,
  }
}

function entriesOf(schema: GetFilterSchemaResponse): readonly Entry[] {
  return [
    ...schema.events.map(eventEntry),
    ...propertyEntries(schema.customPropertyKeys, 'PROPERTY_SOURCE_CUSTOM'),
    ...propertyEntries(schema.profilePropertyKeys, 'PROPERTY_SOURCE_PROFILE'),
    ...propertyEntries(schema.autoPropertyKeys, 'PROPERTY_SOURCE_AUTO'),
    ...propertyEntries(schema.sessionEntryPropertyKeys, 'PROPERTY_SOURCE_SESSION_ENTRY'),
    ...propertyEntries(schema.firstTouchPropertyKeys, 'PROPERTY_SOURCE_FIRST_TOUCH'),
  ]
}

function eventEntry({ name, count, lastSeenAt }: EventNameMeta): EventEntry {
  return {
    kind: 'event',
    id: name,
    label: name,
    event: name,
    filters: [],
    count: Number(count),
    ...seenAt(lastSeenAt),
  }
}

function seenAt(time: Timestamp | undefined): { readonly lastSeenMs?: number } {
  return time ? { lastSeenMs: timestampMs(time) } : {}
}

function propertyEntries(keys: readonly PropertyKeyMeta[], source: Source): readonly PropertyEntry[] {
  return keys.map(({ name, count, valueType, lastSeenAt }) => {
    const label = labelOfProperty({ property: name, source })
    const description = describeSource(source)
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

/** The entry of a property, if the catalog has it. */
export function findProperty(entries: readonly Entry[], property: PropertyRef): PropertyEntry | undefined {
  return entries.find(
    (entry): entry is PropertyEntry => 'valueType' in entry && isSameProperty(entry, property),
  )
}
