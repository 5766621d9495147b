import ChartColumn from 'lucide-solid/icons/chart-column'
import ChartLine from 'lucide-solid/icons/chart-line'
import Clock from 'lucide-solid/icons/clock'
import { type Component, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { type NameKey, t } from '../../i18n/translate.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import type { InsightEditor } from '../insight-editor.ts'
import { draftOf } from '../model/draft.ts'
import { FUNNEL_VIEWS, type FunnelView } from '../model/funnel-options.ts'

const NAMES = {
  VIEW_STEPS: 'insights.steps',
  VIEW_OVER_TIME: 'insights.overTime',
  VIEW_TIME_TO_CONVERT: 'insights.timeToConvert',
} as const satisfies Record<FunnelView, NameKey>

const ICONS = {
  VIEW_STEPS: ChartColumn,
  VIEW_OVER_TIME: ChartLine,
  VIEW_TIME_TO_CONVERT: Clock,
} as const satisfies Record<FunnelView, Component>

/** What a funnel answers besides its steps. */
export function FunnelViews(props: { readonly editor: InsightEditor }): JSX.Element {
  const { editor } = props
  return (
    <Show when={draftOf(editor.draft(), 'INSIGHT_TYPE_FUNNEL')}>
      {(draft) => (
        <SegmentedControl
          label={t('insights.show')}
          look="chosen-text"
          size="large"
          choices={FUNNEL_VIEWS.map((value) => ({
            value,
            label: t(NAMES[value]),
            icon: <Dynamic component={ICONS[value]} />,
            isDisabled: value === 'VIEW_TIME_TO_CONVERT' && draft().steps.length === 1,
          }))}
          value={draft().options.view}
          onChange={(view) => editor.setDraft({ ...draft(), options: { ...draft().options, view } })}
        />
      )}
    </Show>
  )
}
