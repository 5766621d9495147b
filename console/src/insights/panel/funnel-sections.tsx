import { type JSX, Show } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { arrangeSteps } from '../model/arrange-steps.ts'
import { type DraftOf, newEvent } from '../model/draft.ts'
import { EventRows } from './event-rows.tsx'
import { ExclusionSection } from './exclusion-section.tsx'
import { CountMenu, FunnelSettings, type OptionsProps } from './funnel-settings.tsx'
import { WindowSetting } from './option-controls.tsx'
import { PanelSection, type TypeProps } from './panel-section.tsx'
import { StepOptions } from './step-options.tsx'

const MINUTE = 60
const DAY = 86_400

/** The times that a funnel offers; others of old links are offered too. */
const WINDOWS = [30 * MINUTE, 60 * MINUTE, DAY, 7 * DAY, 14 * DAY, 30 * DAY, 90 * DAY] as const

/** The steps of a funnel, its time and its options. */
export function FunnelSections(
  props: TypeProps<DraftOf<'INSIGHT_TYPE_FUNNEL'>> & {
    /** The width of buckets, for conversion over time. */
    readonly interval: JSX.Element
    /** The step that rates are shown from. */
    readonly rate: JSX.Element
  },
): JSX.Element {
  const options = (): OptionsProps => ({
    options: props.part.options,
    stepCount: props.part.steps.length,
    onChange: (changed) => props.onChange({ ...props.part, options: changed }),
  })
  return (
    <>
      <PanelSection title={t('insights.steps')} after={<CountMenu {...options()} />}>
        <EventRows
          catalog={props.catalog}
          rows={props.part.steps}
          badgeOf={(index) => String(index + 1)}
          nameOf={(number) => t('insights.stepName', { number })}
          addLabel="insights.addStep"
          create={newEvent}
          onChange={(steps, origins) =>
            props.onChange({ ...props.part, steps, options: arrangeSteps(props.part.options, origins) })
          }
        />
        <Show when={props.part.steps.length === 1}>
          <p class="query-hint">{t('insights.hintSecondStep')}</p>
        </Show>
      </PanelSection>
      <PanelSection title={t('insights.conversion')}>
        <WindowSetting
          label={t('insights.completeWithin')}
          seconds={props.part.windowSeconds}
          offered={WINDOWS}
          onChange={(windowSeconds) => props.onChange({ ...props.part, windowSeconds })}
        />
        <Show when={props.part.options.view === 'VIEW_OVER_TIME'}>{props.interval}</Show>
        <FunnelSettings {...options()} hasBreakdown={props.part.breakdown.properties.length > 0} />
        <Show when={props.part.options.view === 'VIEW_STEPS'}>{props.rate}</Show>
      </PanelSection>
      <Show when={props.part.steps.length > 1}>
        <Show when={props.part.options.order !== 'ORDER_ANY'}>
          <ExclusionSection {...options()} catalog={props.catalog} />
        </Show>
        <StepOptions {...options()} catalog={props.catalog} />
      </Show>
    </>
  )
}
