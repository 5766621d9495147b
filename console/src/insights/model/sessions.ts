import type { JsonObject } from '@bufbuild/protobuf'
import { type NameKey, t } from '../../i18n/translate.ts'
import { SESSION_METRICS, type SubjectDraft } from './draft.ts'
import { decodeFormulas, encodeFormulas } from './formulas.ts'
import { type Json, recordOf } from './json.ts'
import { SESSION_METRIC_NAMES } from './names.ts'
import { decodeEvent, decodeSeries, describeEvents, encodeEvent, encodeSeries } from './series.ts'

/** A query of events or sessions in proto JSON. */
export function encodeSubject(subject: SubjectDraft): JsonObject {
  if (subject.of === 'events') {
    return { events: encodeSeries(subject.series), ...encodeFormulas(subject.formulas ?? []) }
  }
  return { session: { metric: subject.metric, scope: encodeEvent(subject.scope) } }
}

/** The draft of a query of events or sessions. */
export function decodeSubject(spec: Json): SubjectDraft {
  if (spec.session === undefined) {
    return { of: 'events', series: decodeSeries(spec), ...decodeFormulas(spec) }
  }
  const { metric, scope } = recordOf(spec.session)
  const known = SESSION_METRICS.find((name) => name === metric)
  return { of: 'sessions', metric: known ?? 'SESSION_METRIC_SESSIONS', scope: decodeEvent(scope) }
}

/** The subject of a query of events or sessions in words. */
export function describeSubject(subject: SubjectDraft): string {
  return subject.of === 'sessions' ? t(SESSION_METRIC_NAMES[subject.metric]) : describeEvents(subject.series)
}

/** The missing setting of a query of events or sessions: some measures of sessions need the property of their values. */
export function missingOfSubject(subject: SubjectDraft, breakdowns: number): NameKey | undefined {
  if (subject.of === 'events') return undefined
  const isByValue = subject.metric === 'SESSION_METRIC_ENTRY' || subject.metric === 'SESSION_METRIC_EXIT'
  return isByValue && breakdowns !== 1 ? 'insights.missingSessionValue' : undefined
}
