import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import FlaskConical from 'lucide-solid/icons/flask-conical'
import { createSignal, type JSX, Show } from 'solid-js'
import { navigate } from '../../context/router.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import './demo-banner.css'
import './messages.ts'

const projectsClient = clientOf(ProjectsService)

/** The line above every page of a demo project. */
export function DemoBanner(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const [isAsking, setAsking] = createSignal(false)
  const remove = async (): Promise<void> => {
    const { reload } = workspace()
    await projectsClient.delete({})
    await reload()
    navigate('/')
  }
  return (
    <aside class="demo-banner">
      <FlaskConical size={15} />
      <span>{t('firstRun.demoBanner')}</span>
      <Show when={may(ProjectsService.method.delete)}>
        <Button size="small" onClick={() => setAsking(true)}>
          {t('firstRun.demoDelete')}
        </Button>
      </Show>
      <ConfirmDialog
        title={t('firstRun.demoDelete')}
        text={t('firstRun.demoDeleteText')}
        verb={t('firstRun.demoDelete')}
        isOpen={isAsking()}
        onClose={() => setAsking(false)}
        onConfirm={remove}
      />
    </aside>
  )
}
