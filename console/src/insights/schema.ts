import type { GetFilterSchemaResponse } from '@contract/common/v1/filter_schema_pb.js'
import { PropertySource } from '@contract/common/v1/property_pb.js'
import { InsightsService } from '@contract/shared/insights/v1/insights_service_pb.js'
import { createResource, type Resource } from 'solid-js'
import type { Source } from '../picker/filter-draft.ts'
import { clientOf } from '../rpc/client.ts'
import { readyOf } from '../ui/async.tsx'

const insightsClient = clientOf(InsightsService)

const SOURCES = {
  PROPERTY_SOURCE_AUTO: PropertySource.AUTO,
  PROPERTY_SOURCE_CUSTOM: PropertySource.CUSTOM,
  PROPERTY_SOURCE_PROFILE: PropertySource.PROFILE,
  PROPERTY_SOURCE_SESSION_ENTRY: PropertySource.SESSION_ENTRY,
  PROPERTY_SOURCE_FIRST_TOUCH: PropertySource.FIRST_TOUCH,
} as const satisfies Record<Source, PropertySource>

/** The names of the project's events and properties, and the values of a property. */
export interface Schema {
  readonly events: () => readonly string[]
  /** Event properties and properties of page and visit. */
  readonly properties: () => readonly string[]
  readonly personProperties: () => readonly string[]
  /** The most frequent values of a property; empty when they cannot be read, since values can be typed. */
  readonly readValues: (property: string, source: Source, event: string) => Promise<readonly string[]>
}

/** Reads the schema of the project. Without it, names can be typed. */
export function createSchema(): Schema {
  const [schema] = createResource(async () => await insightsClient.getFilterSchema({}).catch(() => undefined))
  return {
    events: () => namesOf(schema, 'events'),
    properties: () => [...namesOf(schema, 'autoPropertyKeys'), ...namesOf(schema, 'customPropertyKeys')],
    personProperties: () => namesOf(schema, 'profilePropertyKeys'),
    readValues: async (propertyKey, source, eventKind) => {
      const request = { propertyKey, source: SOURCES[source], eventKind }
      return await insightsClient.getPropertyValues(request).then(
        ({ values }) => values,
        () => [],
      )
    },
  }
}

function namesOf(
  schema: Resource<GetFilterSchemaResponse | undefined>,
  list: 'events' | 'autoPropertyKeys' | 'customPropertyKeys' | 'profilePropertyKeys',
): readonly string[] {
  return (readyOf(schema)?.[list] ?? []).map(({ name }) => name)
}
