import ChevronRight from 'lucide-solid/icons/chevron-right'
import { type JSX, Show } from 'solid-js'
import { CohortChips } from '../../cohorts/cohort-chips.tsx'
import { createCohortList } from '../../cohorts/cohort-list.ts'
import { t } from '../../i18n/translate.ts'
import type { Catalog } from '../../picker/catalog.ts'
import { GroupChips } from '../../picker/filter-groups.tsx'
import { Checkbox } from '../../ui/input.tsx'
import type { InsightEditor } from '../insight-editor.ts'
import type { BreakdownDraft, Draft } from '../model/draft.ts'
import { tabOf } from '../types/tabs.ts'
import { BreakdownSection } from './breakdown-section.tsx'
import { PanelSection } from './panel-section.tsx'
import './query-panel.css'
import { TypeSections } from './type-sections.tsx'

/** The query of an insight as rows of chips. */
export function QueryPanel(props: {
  readonly editor: InsightEditor
  readonly catalog: Catalog
}): JSX.Element {
  const { editor } = props
  const cohorts = createCohortList()
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
      <Show when={(cohorts.cohorts() ?? []).length > 0 || (editor.draft().cohorts ?? []).length > 0}>
        <PanelSection title={t('cohorts.title')}>
          <CohortChips
            cohorts={cohorts.cohorts() ?? []}
            filters={editor.draft().cohorts ?? []}
            onChange={(changed) => editor.setDraft({ ...editor.draft(), cohorts: changed })}
          />
        </PanelSection>
      </Show>
      <Show when={breakdown()}>
        {(shown) => (
          <BreakdownSection
            catalog={props.catalog}
            breakdown={shown()}
            cohorts={cohorts.cohorts() ?? []}
            onChange={(changed) => editor.setDraft({ ...editor.draft(), breakdown: changed } as Draft)}
          />
        )}
      </Show>
      <MoreOptions editor={editor} />
    </div>
  )
}

/** The visitors that the query counts, folded away. */
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
