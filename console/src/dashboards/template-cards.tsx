import './dashboard.css'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import ChartPie from 'lucide-solid/icons/chart-pie'
import Globe from 'lucide-solid/icons/globe'
import Receipt from 'lucide-solid/icons/receipt'
import Repeat from 'lucide-solid/icons/repeat'
import { For, type JSX } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { writeFailure } from '../rpc/failure-text.ts'
import { createAction } from '../ui/action.ts'
import { showToast } from '../ui/toast.tsx'
import { openBoard } from './board-changes.tsx'
import { useProjectEvents } from './project-events.ts'
import { isPossible, makeTiles, TEMPLATES, type TemplateName } from './templates.ts'

const dashboardsClient = clientOf(DashboardsService)

const ICONS = {
  web: Globe,
  product: ChartPie,
  revenue: Receipt,
  retention: Repeat,
} as const satisfies Record<TemplateName, typeof Globe>

/** Dashboards made of the events of the project, one click away. */
export function TemplateCards(): JSX.Element {
  const workspace = useWorkspace()
  const events = useProjectEvents()
  const action = createAction()
  const isReady = (name: TemplateName): boolean => {
    const known = events()
    return known !== undefined && isPossible(name, known)
  }
  const make = async (name: TemplateName): Promise<void> => {
    const known = events()
    if (!known) return
    try {
      const { dashboard } = await dashboardsClient.upsert({
        displayName: t(TEMPLATES[name].title),
        description: t(TEMPLATES[name].text),
        tiles: makeTiles(name, known, (title) => t(title)),
      })
      if (dashboard) openBoard(workspace().project.id, dashboard)
    } catch (thrown) {
      showToast({ tone: 'bad', text: `${t('ui.failed')}: ${await writeFailure(thrown)}` })
    }
  }
  return (
    <section class="board-templates" aria-label={t('dashboards.templates')}>
      <For each={Object.keys(TEMPLATES) as TemplateName[]}>
        {(name) => (
          <button
            type="button"
            class="board-template"
            disabled={!isReady(name) || action.isRunning()}
            onClick={() => action.run(async () => await make(name))}
          >
            <span class="board-template-icon">
              <Dynamic component={ICONS[name]} />
            </span>
            <span class="board-template-title">{t(TEMPLATES[name].title)}</span>
            <span class="board-template-text">
              {events() !== undefined && !isReady(name)
                ? t(name === 'revenue' ? 'dashboards.needsPurchase' : 'dashboards.needsEvents')
                : t(TEMPLATES[name].text)}
            </span>
          </button>
        )}
      </For>
    </section>
  )
}
