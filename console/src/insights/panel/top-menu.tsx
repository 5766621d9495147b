import ChevronDown from 'lucide-solid/icons/chevron-down'
import type { JSX } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { Menu } from '../../ui/menu.tsx'

/** The numbers of values that an answer can show. */
const TOPS = [5, 10, 25, 100] as const

/** The number of values that an answer shows: "Show top 10". */
export function TopMenu(props: {
  readonly count: number
  readonly onChange: (count: number) => void
}): JSX.Element {
  const counts = (): readonly number[] => [...new Set([...TOPS, props.count])].sort((a, b) => a - b)
  const name = (count: number): string => t('insights.showTop', { count: String(count) })
  return (
    <Menu
      trigger={(attributes) => (
        <button type="button" {...attributes} class="query-menu">
          {name(props.count)}
          <ChevronDown />
        </button>
      )}
      entries={[
        {
          label: t('insights.show'),
          value: String(props.count),
          choices: counts().map((count) => ({ value: String(count), label: name(count) })),
          onChange: (count) => props.onChange(Number(count)),
        },
      ]}
    />
  )
}
