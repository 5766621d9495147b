import type { GetFilterSchemaResponse } from '@contract/common/v1/filter_schema_pb.js'
import { PropertySource } from '@contract/common/v1/property_pb.js'
import { InsightsService } from '@contract/shared/insights/v1/insights_service_pb.js'
import { createResource, type Resource } from 'solid-js'
import { clientOf } from '../rpc/client.ts'
import { readyOf } from '../ui/async.tsx'
import type { Source } from './draft.ts'

const SOURCES = {
  PROPERTY_SOURCE_AUTO: PropertySource.AUTO,
  PROPERTY_SOURCE_CUSTOM: PropertySource.CUSTOM,
  PROPERTY_SOURCE_PROFILE: PropertySource.PROFILE,
} as const satisfies Record<Source, PropertySource>

/** What the project has: names of kinds and properties, and values as they are asked for. */
export interface Schema {
  readonly kinds: () => readonly string[]
  /** Auto and custom properties. */
  readonly properties: () => readonly string[]
  readonly traits: () => readonly string[]
  /** The most frequent values of a property; empty when they cannot be had: then one types. */
  readonly readValues: (property: string, source: Source, kind: string) => Promise<readonly string[]>
}

/** Reads the schema of the project. Without it, names can still be typed. */
export function createSchema(): Schema {
  const [schema] = createResource(
    async () =>
      await clientOf(InsightsService)
        .getFilterSchema({})
        .catch(() => undefined),
  )
  return {
    kinds: () => namesOf(schema, 'events'),
    properties: () => [...namesOf(schema, 'autoPropertyKeys'), ...namesOf(schema, 'customPropertyKeys')],
    traits: () => namesOf(schema, 'profilePropertyKeys'),
    readValues: async (propertyKey, source, eventKind) => {
      const request = { propertyKey, source: SOURCES[source], eventKind }
      return await clientOf(InsightsService)
        .getPropertyValues(request)
        .then(
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
