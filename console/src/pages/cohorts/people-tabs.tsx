import type { JSX } from 'solid-js'
import '../../cohorts/messages.ts'
import { navigate } from '../../context/router.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { cohortsHref } from './cohort-address.ts'

/** The two lists of People. */
export function PeopleTabs(props: { readonly value: 'people' | 'cohorts' }): JSX.Element {
  const workspace = useWorkspace()
  const hrefs = (): Readonly<Record<'people' | 'cohorts', string>> => ({
    people: `/p/${workspace().project.id}/people`,
    cohorts: cohortsHref(workspace().project.id),
  })
  return (
    <Tabs
      label={t('people.title')}
      choices={[
        { value: 'people', label: t('people.title') },
        { value: 'cohorts', label: t('cohorts.title') },
      ]}
      value={props.value}
      onChange={(value) => navigate(hrefs()[value])}
    />
  )
}
