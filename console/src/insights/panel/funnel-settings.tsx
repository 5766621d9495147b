import ChevronDown from 'lucide-solid/icons/chevron-down'
import { type JSX, Show } from 'solid-js'
import { RATES, type RateFrom } from '../../charts/chart.ts'
import { type NameKey, t } from '../../i18n/translate.ts'
import { Menu } from '../../ui/menu.tsx'
import {
  COUNTED,
  type Counted,
  type FunnelOptionsDraft,
  STEP_ORDERS,
  type StepOrder,
} from '../model/funnel-options.ts'
import { Choice, NumberSelect, StepSelect } from './option-controls.tsx'
import { PanelSetting } from './panel-section.tsx'

const ORDER_NAMES = {
  ORDER_SEQUENTIAL: 'insights.orderSequential',
  ORDER_STRICT: 'insights.orderStrict',
  ORDER_ANY: 'insights.orderAny',
} as const satisfies Record<StepOrder, NameKey>

const COUNTED_NAMES = {
  COUNT_BY_USERS: 'insights.countPeople',
  COUNT_BY_SESSIONS: 'insights.countSessions',
} as const satisfies Record<Counted, NameKey>

/** The numbers of bars that times to convert can have; 0 for as many as suit the times. */
const BAR_COUNTS = [0, 5, 10, 20, 30, 60] as const

/** The props of a part of the options of a funnel. */
export interface OptionsProps {
  readonly options: FunnelOptionsDraft
  readonly stepCount: number
  readonly onChange: (options: FunnelOptionsDraft) => void
}

/** What a funnel counts: "Count people". */
export function CountMenu(props: OptionsProps): JSX.Element {
  const nameOf = (counted: Counted): string => t(COUNTED_NAMES[counted])
  return (
    <Menu
      trigger={(attributes) => (
        <button type="button" {...attributes} class="query-menu">
          {nameOf(props.options.counted)}
          <ChevronDown />
        </button>
      )}
      entries={[
        {
          label: t('insights.counted'),
          value: props.options.counted,
          choices: COUNTED.map((value) => ({ value, label: nameOf(value) })),
          onChange: (value) =>
            props.onChange({
              ...props.options,
              counted: COUNTED.find((known) => known === value) ?? props.options.counted,
            }),
        },
      ]}
    />
  )
}

const RATE_NAMES = {
  previous: 'insights.ratePrevious',
  first: 'insights.rateFirst',
} as const satisfies Record<RateFrom, NameKey>

/** The step that the rates of a funnel are shown from. */
export function RateSetting(props: {
  readonly rate: RateFrom
  readonly onChange: (rate: RateFrom) => void
}): JSX.Element {
  return (
    <Choice
      label={t('insights.rateFrom')}
      value={props.rate}
      values={RATES}
      names={RATE_NAMES}
      onChange={props.onChange}
    />
  )
}

/** The order of the steps, and the options of breakdowns and of the view. */
export function FunnelSettings(props: OptionsProps & { readonly hasBreakdown: boolean }): JSX.Element {
  const change = (changed: Partial<FunnelOptionsDraft>): void =>
    props.onChange({ ...props.options, ...changed })
  return (
    <>
      <Choice
        label={t('insights.stepOrder')}
        value={props.options.order}
        values={STEP_ORDERS}
        names={ORDER_NAMES}
        onChange={(order) => change({ order })}
      />
      <Show when={props.hasBreakdown}>
        <PanelSetting label={t('insights.valuesAtStep')}>
          <StepSelect
            label={t('insights.valuesAtStep')}
            step={props.options.attributionStep || 1}
            steps={stepsBetween(1, props.stepCount)}
            onChange={(attributionStep) => change({ attributionStep })}
          />
        </PanelSetting>
      </Show>
      <Show when={props.options.view === 'VIEW_TIME_TO_CONVERT' && props.stepCount > 1}>
        <TimeSettings {...props} />
      </Show>
    </>
  )
}

/** The steps between which times are measured, and their bars. */
function TimeSettings(props: OptionsProps): JSX.Element {
  const from = (): number => props.options.fromStep || 1
  const to = (): number => props.options.toStep || props.stepCount
  return (
    <>
      <Show when={props.stepCount > 2}>
        <PanelSetting label={t('insights.timeFrom')}>
          <StepSelect
            label={t('insights.timeFrom')}
            step={from()}
            steps={stepsBetween(1, props.stepCount - 1)}
            onChange={(fromStep) =>
              props.onChange({
                ...props.options,
                fromStep,
                toStep: to() > fromStep ? props.options.toStep : 0,
              })
            }
          />
        </PanelSetting>
        <PanelSetting label={t('insights.timeTo')}>
          <StepSelect
            label={t('insights.timeTo')}
            step={to()}
            steps={stepsBetween(from() + 1, props.stepCount)}
            onChange={(step) =>
              props.onChange({ ...props.options, toStep: step === props.stepCount ? 0 : step })
            }
          />
        </PanelSetting>
      </Show>
      <PanelSetting label={t('insights.bars')}>
        <NumberSelect
          label={t('insights.bars')}
          value={props.options.bins}
          values={[...new Set([...BAR_COUNTS, props.options.bins])].sort((a, b) => a - b)}
          nameOf={(count) => (count === 0 ? t('insights.automatic') : String(count))}
          onChange={(bins) => props.onChange({ ...props.options, bins })}
        />
      </PanelSetting>
    </>
  )
}

/** The numbers of steps from one to another, both included. */
export function stepsBetween(...[from, to]: readonly [from: number, to: number]): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}
