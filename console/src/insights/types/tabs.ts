import type { Draft, SharedDraft } from '../model/draft.ts'
import { TAB_ENTRIES, type Tab } from './insight-types.ts'

/** The tabs of the builder, in its order. */
export const TABS = Object.keys(TAB_ENTRIES) as readonly Tab[]

/** The tab of a draft. */
export function tabOf(draft: Draft): Tab {
  return TABS.find((tab) => TAB_ENTRIES[tab].has(draft)) ?? 'trends'
}

/** The draft of another tab, with the events, filters and breakdowns that fit there. */
export function switchTab(draft: Draft, tab: Tab): Draft {
  if (tabOf(draft) === tab) return draft
  const { groups, groupsOperator, includeCookieless, excludeBots, cohorts } = draft
  const filters = { groups, groupsOperator, includeCookieless, excludeBots }
  const shared: SharedDraft = { ...filters, ...(cohorts && { cohorts }) }
  return { ...TAB_ENTRIES[tab].partFrom(draft), ...shared } as Draft
}
