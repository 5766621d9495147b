import { type JSX, Match, Show, Switch } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import type { Catalog } from '../../picker/catalog.ts'
import { Select } from '../../ui/combobox.tsx'
import { Checkbox } from '../../ui/input.tsx'
import type { InsightEditor } from '../insight-editor.ts'
import { fittingGranularities } from '../insight-period.ts'
import {
  COUNTS,
  type Draft,
  type DraftOf,
  draftOf,
  type InsightType,
  newEvent,
  newSeries,
  ROLLING_COUNTS,
  SESSION_METRICS,
  type SubjectDraft,
} from '../model/draft.ts'
import { GRANULARITY_NAMES, SESSION_METRIC_NAMES } from '../model/names.ts'
import { STICKINESS_MAX, seriesLetter } from '../model/series.ts'
import { EventLine, EventRows, SeriesLine, SeriesMeasure } from './event-rows.tsx'
import { FormulaRows } from './formula-rows.tsx'
import { FunnelSections } from './funnel-sections.tsx'
import { RateSetting } from './funnel-settings.tsx'
import { PanelSection, PanelSetting, type TypeProps } from './panel-section.tsx'
import { PathSections } from './path-sections.tsx'
import { PropertyOrChoice } from './property-choice.tsx'
import { RetentionMeasure, RetentionSettings } from './retention-settings.tsx'
import { TopMenu } from './top-menu.tsx'

/** The part of the query that only its type has. */
export function TypeSections(props: {
  readonly editor: InsightEditor
  readonly catalog: Catalog
}): JSX.Element {
  const { editor } = props
  const subject = (): SubjectDraft | undefined => {
    const draft = editor.draft()
    return 'subject' in draft ? draft.subject : undefined
  }
  const of = <Type extends InsightType>(type: Type) => draftOf(editor.draft(), type)
  return (
    <Switch>
      <Match when={subject()}>
        {(part) => (
          <SubjectSection
            catalog={props.catalog}
            part={part()}
            isOverTime={editor.draft().type === 'INSIGHT_TYPE_TRENDS'}
            failure={editor.answer.failure()}
            onChange={(changed) => editor.setDraft({ ...editor.draft(), subject: changed } as Draft)}
          />
        )}
      </Match>
      <Match when={of('INSIGHT_TYPE_FUNNEL')}>
        {(part) => (
          <FunnelSections
            catalog={props.catalog}
            part={part()}
            onChange={editor.setDraft}
            interval={<WidthSetting editor={editor} label={t('insights.interval')} />}
            rate={<RateSetting rate={editor.state().rate} onChange={(rate) => editor.change({ rate })} />}
          />
        )}
      </Match>
      <Match when={of('INSIGHT_TYPE_RETENTION')}>
        {(part) => (
          <RetentionSections
            catalog={props.catalog}
            part={part()}
            onChange={editor.setDraft}
            period={<WidthSetting editor={editor} label={t('insights.groupPeopleBy')} />}
          />
        )}
      </Match>
      <Match when={of('INSIGHT_TYPE_LIFECYCLE')}>
        {(part) => (
          <LifecycleSections
            catalog={props.catalog}
            part={part()}
            onChange={editor.setDraft}
            period={<WidthSetting editor={editor} label={t('insights.groupPeopleBy')} />}
          />
        )}
      </Match>
      <Match when={of('INSIGHT_TYPE_STICKINESS')}>
        {(part) => (
          <StickinessSections
            catalog={props.catalog}
            part={part()}
            onChange={editor.setDraft}
            period={<WidthSetting editor={editor} label={t('insights.groupPeopleBy')} />}
          />
        )}
      </Match>
      <Match when={of('INSIGHT_TYPE_USER_FLOW')}>
        {(part) => <PathsSections catalog={props.catalog} part={part()} onChange={editor.setDraft} />}
      </Match>
      <Match when={of('INSIGHT_TYPE_TOP_K')}>
        {(part) => <RankedSections catalog={props.catalog} part={part()} onChange={editor.setDraft} />}
      </Match>
      <Match when={of('INSIGHT_TYPE_MAP')}>
        {(part) => <CountriesSection catalog={props.catalog} part={part()} onChange={editor.setDraft} />}
      </Match>
    </Switch>
  )
}

/** The width of buckets. */
function WidthSetting(props: { readonly editor: InsightEditor; readonly label: string }): JSX.Element {
  const { editor } = props
  return (
    <PanelSetting label={props.label}>
      <Select
        label={props.label}
        labelDisplay="hidden"
        value={editor.granularity()}
        options={fittingGranularities(editor.state().period, editor.now(), editor.draft().type).map(
          (value) => ({
            value,
            label: t(GRANULARITY_NAMES[value]),
          }),
        )}
        onChange={(granularity) => editor.change({ granularity })}
      />
    </PanelSetting>
  )
}

/** The series of a trend, or the measure of sessions. */
function SubjectSection(
  props: TypeProps<SubjectDraft> & {
    readonly isOverTime: boolean
    /** The reason why the query was refused. */
    readonly failure: unknown
  },
): JSX.Element {
  const events = () => (props.part.of === 'events' ? props.part : undefined)
  const sessions = () => (props.part.of === 'sessions' ? props.part : undefined)
  return (
    <Switch>
      <Match when={events()}>
        {(part) => (
          <PanelSection title={t('insights.series')}>
            <EventRows
              catalog={props.catalog}
              rows={part().series}
              badgeOf={seriesLetter}
              nameOf={(letter) => t('insights.seriesName', { letter })}
              addLabel="insights.addSeries"
              create={newSeries}
              onChange={(series) => props.onChange({ ...part(), series })}
              chip={(row, change) => (
                <SeriesMeasure
                  catalog={props.catalog}
                  measure={row().measure}
                  counts={props.isOverTime ? [...COUNTS, ...ROLLING_COUNTS] : COUNTS}
                  onChange={(measure) => change({ ...row(), measure })}
                />
              )}
            />
            <Show when={props.isOverTime}>
              <FormulaRows
                formulas={part().formulas ?? []}
                seriesCount={part().series.length}
                failure={props.failure}
                onChange={(formulas) => props.onChange({ ...part(), formulas })}
              />
            </Show>
          </PanelSection>
        )}
      </Match>
      <Match when={sessions()}>
        {(part) => (
          <>
            <PanelSection title={t('insights.measure')}>
              <Select
                label={t('insights.measure')}
                labelDisplay="hidden"
                value={part().metric}
                options={SESSION_METRICS.map((value) => ({ value, label: t(SESSION_METRIC_NAMES[value]) }))}
                onChange={(metric) => props.onChange({ ...part(), metric })}
              />
            </PanelSection>
            <PanelSection title={t('insights.sessionsOf')}>
              <EventLine
                catalog={props.catalog}
                name={t('insights.sessionsOf')}
                row={part().scope}
                onChange={(scope) => props.onChange({ ...part(), scope })}
              />
            </PanelSection>
          </>
        )}
      </Match>
    </Switch>
  )
}

/** The event that starts retention, and the one that counts as coming back. */
function RetentionSections(
  props: TypeProps<DraftOf<'INSIGHT_TYPE_RETENTION'>> & {
    /** The width of the groups of people. */
    readonly period: JSX.Element
  },
): JSX.Element {
  return (
    <>
      <PanelSection title={t('insights.firstDid')}>
        <EventLine
          catalog={props.catalog}
          name={t('insights.firstDid')}
          row={props.part.first}
          onChange={(first) => props.onChange({ ...props.part, first })}
        />
      </PanelSection>
      <PanelSection title={t('insights.thenDid')}>
        <EventLine
          catalog={props.catalog}
          name={t('insights.thenDid')}
          row={props.part.back ?? props.part.first}
          onChange={(back) => props.onChange({ ...props.part, back })}
        />
      </PanelSection>
      <PanelSection title={t('insights.period')}>
        {props.period}
        <RetentionSettings
          options={props.part.options}
          onChange={(options) => props.onChange({ ...props.part, options })}
        />
      </PanelSection>
      <PanelSection title={t('insights.measure')}>
        <RetentionMeasure
          catalog={props.catalog}
          options={props.part.options}
          onChange={(options) => props.onChange({ ...props.part, options })}
        />
      </PanelSection>
    </>
  )
}

/** The event that makes people active. */
function LifecycleSections(
  props: TypeProps<DraftOf<'INSIGHT_TYPE_LIFECYCLE'>> & { readonly period: JSX.Element },
): JSX.Element {
  return (
    <>
      <PanelSection title={t('insights.activeDid')}>
        <EventLine
          catalog={props.catalog}
          name={t('insights.activeDid')}
          row={props.part.event}
          onChange={(event) => props.onChange({ ...props.part, event })}
        />
      </PanelSection>
      <PanelSection title={t('insights.period')}>{props.period}</PanelSection>
    </>
  )
}

/** The events that make people active, each a series. */
function StickinessSections(
  props: TypeProps<DraftOf<'INSIGHT_TYPE_STICKINESS'>> & { readonly period: JSX.Element },
): JSX.Element {
  return (
    <>
      <PanelSection title={t('insights.activeDid')}>
        <EventRows
          catalog={props.catalog}
          rows={props.part.events}
          rowsMax={STICKINESS_MAX}
          badgeOf={seriesLetter}
          nameOf={(letter) => t('insights.seriesName', { letter })}
          addLabel="insights.addSeries"
          create={newEvent}
          onChange={(events) => props.onChange({ ...props.part, events })}
        />
      </PanelSection>
      <PanelSection title={t('insights.period')}>{props.period}</PanelSection>
    </>
  )
}

/** The nodes of paths, and the number of hops. */
function PathsSections(props: TypeProps<DraftOf<'INSIGHT_TYPE_USER_FLOW'>>): JSX.Element {
  const columns = (): number => (props.part.maxHops || PATH_HOPS) + 1
  return (
    <>
      <PanelSection title={t('insights.showPathsBy')}>
        <PropertyOrChoice
          catalog={props.catalog}
          label={t('insights.showPathsBy')}
          choices={{ events: 'insights.events' }}
          value={props.part.nodes}
          onChange={(chosen) =>
            props.onChange({ ...props.part, nodes: chosen.of === 'property' ? chosen : { of: 'events' } })
          }
        />
        <PanelSetting label={t('insights.columns')}>
          <Select
            label={t('insights.columns')}
            labelDisplay="hidden"
            value={String(columns())}
            options={[...new Set([...COLUMNS, columns()])]
              .sort((a, b) => a - b)
              .map((count) => ({ value: String(count), label: String(count) }))}
            onChange={(count) => props.onChange({ ...props.part, maxHops: Number(count) - 1 })}
          />
        </PanelSetting>
      </PanelSection>
      <PanelSection title={t('insights.pathsThrough')}>
        <EventLine
          catalog={props.catalog}
          name={t('insights.pathsThrough')}
          row={props.part.scope}
          onChange={(scope) => props.onChange({ ...props.part, scope })}
        />
      </PanelSection>
      <PathSections catalog={props.catalog} part={props.part} onChange={props.onChange} />
    </>
  )
}

/** The depth of paths that name none. */
const PATH_HOPS = 5

/** The columns that paths can have. */
const COLUMNS = [3, 4, 5, 6, 7, 8] as const

/** The subject and the measure of a ranking. */
function RankedSections(props: TypeProps<DraftOf<'INSIGHT_TYPE_TOP_K'>>): JSX.Element {
  return (
    <>
      <PanelSection
        title={t('insights.rank')}
        after={
          <TopMenu
            count={props.part.limit || RANKED_DEFAULT}
            onChange={(limit) => props.onChange({ ...props.part, limit })}
          />
        }
      >
        <PropertyOrChoice
          catalog={props.catalog}
          label={t('insights.rank')}
          choices={{ events: 'insights.events', people: 'insights.people' }}
          value={props.part.ranked}
          onChange={(ranked) => props.onChange({ ...props.part, ranked })}
        />
        <Checkbox
          label={t('insights.hideOther')}
          isChecked={props.part.others === 'hidden'}
          onChange={(isHidden) => props.onChange({ ...props.part, others: isHidden ? 'hidden' : 'shown' })}
        />
      </PanelSection>
      <PanelSection title={t('insights.rankBy')}>
        <SeriesLine
          catalog={props.catalog}
          name={t('insights.rankBy')}
          series={props.part.series}
          onChange={(series) => props.onChange({ ...props.part, series })}
        />
      </PanelSection>
    </>
  )
}

/** The values that a ranking without a limit shows. */
const RANKED_DEFAULT = 10

/** The measure of countries. */
function CountriesSection(props: TypeProps<DraftOf<'INSIGHT_TYPE_MAP'>>): JSX.Element {
  return (
    <PanelSection title={t('insights.colourBy')}>
      <SeriesLine
        catalog={props.catalog}
        name={t('insights.colourBy')}
        series={props.part.series}
        onChange={(series) => props.onChange({ ...props.part, series })}
      />
    </PanelSection>
  )
}
