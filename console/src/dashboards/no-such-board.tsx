import LayoutGrid from 'lucide-solid/icons/layout-grid'
import type { JSX } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/states.tsx'
import './messages.ts'

/** Stands for a dashboard that a link names and the project does not have; leads to the others. */
export function NoSuchBoard(): JSX.Element {
  const workspace = useWorkspace()
  return (
    <EmptyState
      icon={<LayoutGrid />}
      title={t('dashboards.notFound')}
      text={t('shell.notFoundText')}
      actions={
        <ButtonLink href={`/p/${encodeURIComponent(workspace().project.id)}/dashboards`}>
          {t('dashboards.allDashboards')}
        </ButtonLink>
      }
    />
  )
}
