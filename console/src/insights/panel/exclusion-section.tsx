import Plus from 'lucide-solid/icons/plus'
import Trash from 'lucide-solid/icons/trash'
import { Index, type JSX, Show } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import type { Catalog } from '../../picker/catalog.ts'
import { EventPicker } from '../../picker/pickers.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import type { ExclusionDraft } from '../model/funnel-options.ts'
import { EventLine } from './event-rows.tsx'
import { type OptionsProps, stepsBetween } from './funnel-settings.tsx'
import { StepSelect } from './option-controls.tsx'
import { PanelSection } from './panel-section.tsx'

/** The most exclusions that the service takes. */
const EXCLUSIONS_MAX = 20

/** The events that must not happen between two steps. */
export function ExclusionSection(props: OptionsProps & { readonly catalog: Catalog }): JSX.Element {
  const exclusions = (): readonly ExclusionDraft[] => props.options.exclusions
  const change = (changed: readonly ExclusionDraft[]): void =>
    props.onChange({ ...props.options, exclusions: changed })
  return (
    <PanelSection title={t('insights.exclude')}>
      <div class="query-rows">
        <Index each={exclusions()}>
          {(exclusion, at) => (
            <Exclusion
              catalog={props.catalog}
              exclusion={exclusion()}
              stepCount={props.stepCount}
              onChange={(changed) => change(exclusions().with(at, changed))}
              onRemove={() => change(exclusions().toSpliced(at, 1))}
            />
          )}
        </Index>
        <Show when={exclusions().length < EXCLUSIONS_MAX}>
          <EventPicker
            catalog={props.catalog}
            label={t('insights.addExclusion')}
            event={undefined}
            onChoose={({ event, filters }) =>
              change([...exclusions(), { kind: event, filters, after: 1, before: props.stepCount }])
            }
            trigger={(attributes) => (
              <Button {...attributes} size="small" icon={<Plus />} class="query-add">
                {t('insights.addExclusion')}
              </Button>
            )}
          />
        </Show>
      </div>
    </PanelSection>
  )
}

function Exclusion(props: {
  readonly catalog: Catalog
  readonly exclusion: ExclusionDraft
  readonly stepCount: number
  readonly onChange: (exclusion: ExclusionDraft) => void
  readonly onRemove: () => void
}): JSX.Element {
  const from = (): readonly number[] => stepsBetween(1, props.stepCount - 1)
  const to = (): readonly number[] => stepsBetween(props.exclusion.after + 1, props.stepCount)
  return (
    <div class="query-line">
      <EventLine
        catalog={props.catalog}
        name={t('insights.exclude')}
        row={props.exclusion}
        onChange={props.onChange}
      />
      <div class="query-between">
        <StepSelect
          label={t('insights.excludeAfter')}
          step={props.exclusion.after}
          steps={from()}
          onChange={(after) =>
            props.onChange({ ...props.exclusion, after, before: Math.max(after + 1, props.exclusion.before) })
          }
        />
        <span aria-hidden="true">–</span>
        <StepSelect
          label={t('insights.excludeBefore')}
          step={props.exclusion.before}
          steps={to()}
          onChange={(before) => props.onChange({ ...props.exclusion, before })}
        />
        <IconButton tone="ghost" size="small" name={t('insights.removeExclusion')} onClick={props.onRemove}>
          <Trash />
        </IconButton>
      </div>
    </div>
  )
}
