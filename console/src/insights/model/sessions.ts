import type { JsonObject } from '@bufbuild/protobuf'
import { type Draft, newDraft, SESSION_METRICS } from './draft.ts'
import type { Field } from './fields.ts'
import { type Json, keyOf, recordOf } from './json.ts'
import { decodeScope, describeEvents, encodeScope } from './series.ts'

/** The choice between events and sessions, for the types that measure both. */
export const MEASURE_FIELD: Field = {
  kind: 'choice',
  name: 'measure',
  label: 'Count',
  choices: { events: 'Events', sessions: 'Sessions' },
}

/** The fields of a query that measures sessions. */
export const SESSION_FIELDS: Field = {
  kind: 'group',
  legend: 'Sessions',
  path: 'spec.session',
  when: ({ measure }) => measure === 'sessions',
  fields: [
    {
      kind: 'choice',
      name: 'sessionMetric',
      label: 'Measure',
      choices: SESSION_METRICS,
      path: 'spec.session.metric',
    },
    { kind: 'scope', path: 'spec.session', metric: 'none' },
  ],
}

/** The session query of a draft in proto JSON. */
export function encodeSessions({ sessionMetric, scope }: Draft): JsonObject {
  return { session: { metric: sessionMetric, scope: encodeScope(scope) } }
}

/** The draft of a session query; of events where the spec has none. */
export function decodeSessions({ session }: Json): Partial<Draft> {
  if (session === undefined) return { measure: 'events' }
  const query = recordOf(session)
  return {
    measure: 'sessions',
    sessionMetric: keyOf(SESSION_METRICS, query.metric, newDraft().sessionMetric),
    ...decodeScope({ scope: query.scope }),
  }
}

/** The subject of a query of events or sessions in words. */
export function describeSubject(draft: Draft): string {
  return draft.measure === 'sessions' ? SESSION_METRICS[draft.sessionMetric] : describeEvents(draft)
}
