import ChevronRight from 'lucide-solid/icons/chevron-right'
import { type JSX, Match, Show, Switch } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import type { Catalog } from '../../picker/catalog.ts'
import { GroupChips } from '../../picker/filter-groups.tsx'
import { Select } from '../../ui/combobox.tsx'
import { Checkbox } from '../../ui/input.tsx'
import type { InsightEditor } from '../insight-editor.ts'
import { fittingGranularities } from '../insight-period.ts'
import {
  type BreakdownDraft,
  type Draft,
  draftOf,
  type InsightType,
  type SubjectDraft,
} from '../model/draft.ts'
import { GRANULARITY_NAMES } from '../model/names.ts'
import { tabOf } from '../model/tabs.ts'
import { BreakdownSection } from './breakdown-section.tsx'
import { PanelSetting } from './panel-section.tsx'
import './query-panel.css'
import {
  CountriesSection,
  FunnelSections,
  PathsSections,
  RankedSections,
  RetentionSections,
  SubjectSection,
} from './type-sections.tsx'

/** The query of an insight as rows of chips. */
export function QueryPanel(props: {
  readonly editor: InsightEditor
  readonly catalog: Catalog
}): JSX.Element {
  const { editor } = props
  const breakdown = (): BreakdownDraft | undefined => {
    const draft = editor.draft()
    return 'breakdown' in draft ? draft.breakdown : undefined
  }
  return (
    <div class="query-panel" data-tab={tabOf(editor.draft())}>
      <TypeSections editor={editor} catalog={props.catalog} />
      <GroupChips
        catalog={props.catalog}
        title={t('insights.filters')}
        role="main"
        value={{ groups: editor.draft().groups, operator: editor.draft().groupsOperator }}
        onChange={({ groups, operator }) =>
          editor.setDraft({ ...editor.draft(), groups, groupsOperator: operator })
        }
      />
      <Show when={breakdown()}>
        {(shown) => (
          <BreakdownSection
            catalog={props.catalog}
            breakdown={shown()}
            onChange={(changed) => editor.setDraft({ ...editor.draft(), breakdown: changed } as Draft)}
          />
        )}
      </Show>
      <MoreOptions editor={editor} />
    </div>
  )
}

/** The part of the query that only its type has. */
function TypeSections(props: { readonly editor: InsightEditor; readonly catalog: Catalog }): JSX.Element {
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
            onChange={(changed) => editor.setDraft({ ...editor.draft(), subject: changed } as Draft)}
          />
        )}
      </Match>
      <Match when={of('INSIGHT_TYPE_FUNNEL')}>
        {(part) => <FunnelSections catalog={props.catalog} part={part()} onChange={editor.setDraft} />}
      </Match>
      <Match when={of('INSIGHT_TYPE_RETENTION')}>
        {(part) => (
          <RetentionSections
            catalog={props.catalog}
            part={part()}
            onChange={editor.setDraft}
            period={<GroupPeopleBy editor={editor} />}
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

function GroupPeopleBy(props: { readonly editor: InsightEditor }): JSX.Element {
  const { editor } = props
  return (
    <PanelSetting label={t('insights.groupPeopleBy')}>
      <Select
        label={t('insights.groupPeopleBy')}
        labelDisplay="hidden"
        value={editor.granularity()}
        options={fittingGranularities(editor.state().period, editor.now()).map((value) => ({
          value,
          label: t(GRANULARITY_NAMES[value]),
        }))}
        onChange={(granularity) => editor.change({ granularity })}
      />
    </PanelSetting>
  )
}

/** Whom the query counts, folded away. */
function MoreOptions(props: { readonly editor: InsightEditor }): JSX.Element {
  const { editor } = props
  return (
    <details class="query-more">
      <summary>
        {t('insights.moreOptions')}
        <ChevronRight />
      </summary>
      <Checkbox
        label={t('insights.countCookieless')}
        isChecked={editor.draft().includeCookieless}
        onChange={(includeCookieless) => editor.setDraft({ ...editor.draft(), includeCookieless })}
      />
      <Checkbox
        label={t('insights.leaveOutBots')}
        isChecked={editor.draft().excludeBots}
        onChange={(excludeBots) => editor.setDraft({ ...editor.draft(), excludeBots })}
      />
    </details>
  )
}
