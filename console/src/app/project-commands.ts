import { navigate } from '../context/router.ts'
import { t } from '../i18n/translate.ts'
import { readRecentInsights } from '../insights/recent-insights.ts'
import { TAB_ENTRIES } from '../insights/types/insight-types.ts'
import { TABS } from '../insights/types/tabs.ts'
import { listInsights } from '../pages/insights/listed-insights.ts'
import { SETTINGS_NAMES, SETTINGS_PAGES } from '../pages/settings/settings-pages.ts'
import type { Command } from './commands.ts'

/** The insights of a project that were edited in this browser, new ones of each type, and the pages of its settings. */
export function listProjectCommands(projectId: string): readonly Command[] {
  const open = (place: string) => (): void => void navigate(`/p/${projectId}/${place}`)
  return [
    ...listInsights(readRecentInsights(projectId)).map(({ title, tab, address }) => ({
      group: t('shell.insights'),
      label: title,
      icon: TAB_ENTRIES[tab].Icon,
      run: open(`insights?${address}`),
    })),
    ...TABS.map((tab) => ({
      group: t('shell.newInsight'),
      label: t(TAB_ENTRIES[tab].name),
      icon: TAB_ENTRIES[tab].Icon,
      run: open(`insights?new=${tab}`),
    })),
    ...SETTINGS_NAMES.map((name) => ({
      group: t('shell.settings'),
      label: t(SETTINGS_PAGES[name].title),
      icon: SETTINGS_PAGES[name].icon,
      run: open(`settings/${name}`),
    })),
  ]
}
