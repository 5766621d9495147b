import type { JSX } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { TAB_ENTRIES, type Tab } from '../types/insight-types.ts'

/** The icon of a tab of the builder. */
export function TabIcon(props: { readonly tab: Tab }): JSX.Element {
  return <Dynamic component={TAB_ENTRIES[props.tab].Icon} />
}
