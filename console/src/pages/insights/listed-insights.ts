import { readQuery } from '../../insights/query-address.ts'
import type { RecentInsight } from '../../insights/recent-insights.ts'
import { decodeSpec, parseSpec, titleOf } from '../../insights/spec.ts'
import type { Tab } from '../../insights/types/insight-types.ts'
import { tabOf } from '../../insights/types/tabs.ts'

/** An insight in the list. */
export interface ListedInsight extends RecentInsight {
  readonly title: string
  readonly tab: Tab
}

/** The insights that can be shown; an address that cannot be read is left out. */
export function listInsights(recent: readonly RecentInsight[]): readonly ListedInsight[] {
  return recent.flatMap((one) => {
    const { spec, name } = readQuery(new URLSearchParams(one.address))
    if (spec === undefined) return []
    const draft = decodeSpec(parseSpec(spec))
    return [{ ...one, title: name || titleOf(draft), tab: tabOf(draft) }]
  })
}

/** The insights of a tab whose title has a text in it. */
export function matchInsights(
  list: readonly ListedInsight[],
  { search, tab }: { readonly search: string; readonly tab: Tab | 'all' },
): readonly ListedInsight[] {
  const text = search.trim().toLowerCase()
  return list.filter((one) => (tab === 'all' || one.tab === tab) && one.title.toLowerCase().includes(text))
}
