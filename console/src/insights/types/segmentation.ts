import { t } from '../../i18n/translate.ts'
import { lazy } from '../../ui/lazy.ts'
import { defineInsightType } from '../model/insight-type.ts'
import { decodeSubject, describeSubject, encodeSubject, missingOfSubject } from '../model/sessions.ts'

declare module '../model/draft.ts' {
  interface Parts {
    readonly INSIGHT_TYPE_SEGMENTATION: { readonly subject: SubjectDraft }
  }
}

/** A measure as one number. */
export const segmentation = defineInsightType({
  type: 'INSIGHT_TYPE_SEGMENTATION',
  name: 'insights.number',
  result: 'segmentation',
  views: () => ['kpi', 'table'],
  timedViews: [],
  comparable: { column: 0 },
  defaultSize: { w: 4, h: 4 },
  tileSettings: [],
  describe: ({ subject }) => describeSubject(subject),
  encode: ({ subject }) => encodeSubject(subject),
  decode: (spec) => ({ type: 'INSIGHT_TYPE_SEGMENTATION', subject: decodeSubject(spec) }),
  findMissing: ({ subject }) => missingOfSubject(subject, 0),
  isNothing: ({ total }) => total === 0,
  table: ({ total }) => ({ columns: [{ name: t('insights.value'), kind: 'value' }], rows: [[total]] }),
  pointOf: (target) =>
    target.kind === 'total' ? { case: 'segmentation', value: { series: target.series } } : undefined,
  Chart: lazy(async () => ({ default: (await import('../../charts/number-card.tsx')).SegmentationChart })),
})
