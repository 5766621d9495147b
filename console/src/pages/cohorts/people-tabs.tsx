import CircleDashed from 'lucide-solid/icons/circle-dashed'
import Users from 'lucide-solid/icons/users'
import type { JSX } from 'solid-js'
import { createCohortList } from '../../cohorts/cohort-list.ts'
import '../../cohorts/messages.ts'
import { navigate } from '../../context/router.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { formatNumber } from '../../format/values.ts'
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
  const list = createCohortList()
  const count = (): string => {
    const cohorts = list.cohorts()
    return cohorts ? formatNumber(cohorts.length) : ''
  }
  return (
    <Tabs
      label={t('people.title')}
      choices={[
        { value: 'people', label: t('people.title'), icon: <Users /> },
        {
          value: 'cohorts',
          label: t('cohorts.title'),
          icon: <CircleDashed />,
          ...(count() !== '' && { count: count() }),
        },
      ]}
      value={props.value}
      onChange={(value) => navigate(hrefs()[value])}
    />
  )
}
