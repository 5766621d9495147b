import type { NameKey } from '../../i18n/translate.ts'
import type { Draft, SeriesDraft, SubjectDraft } from './draft.ts'
import { propertyOf } from './draft.ts'

/** The missing part of a draft, as a message; `undefined` for a draft that is a complete query. */
export function findMissing(draft: Draft): NameKey | undefined {
  switch (draft.type) {
    case 'INSIGHT_TYPE_TRENDS':
      return missingOfSubject(draft.subject, draft.breakdown.properties.length)
    case 'INSIGHT_TYPE_SEGMENTATION':
      return missingOfSubject(draft.subject, 0)
    case 'INSIGHT_TYPE_TOP_K':
      if (draft.ranked.of === 'property' && draft.ranked.property === '') return 'insights.missingRanked'
      return missingOfSeries([draft.series])
    case 'INSIGHT_TYPE_MAP':
      return missingOfSeries([draft.series])
    case 'INSIGHT_TYPE_USER_FLOW':
      return draft.nodes.of === 'property' && draft.nodes.property === ''
        ? 'insights.missingNodes'
        : undefined
    case 'INSIGHT_TYPE_FUNNEL':
    case 'INSIGHT_TYPE_RETENTION':
      return undefined
  }
}

function missingOfSubject(subject: SubjectDraft, breakdowns: number): NameKey | undefined {
  if (subject.of === 'events') return missingOfSeries(subject.series)
  const isByValue = subject.metric === 'SESSION_METRIC_ENTRY' || subject.metric === 'SESSION_METRIC_EXIT'
  return isByValue && breakdowns !== 1 ? 'insights.missingSessionValue' : undefined
}

function missingOfSeries(series: readonly SeriesDraft[]): NameKey | undefined {
  return series.some(({ measure }) => propertyOf(measure) === '') ? 'insights.missingProperty' : undefined
}
