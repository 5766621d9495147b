import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import FlaskConical from 'lucide-solid/icons/flask-conical'
import { type JSX, Show } from 'solid-js'
import { navigate } from '../../context/router.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { createAction } from '../../ui/action.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/states.tsx'

const projectsClient = clientOf(ProjectsService)

/** Offers a separate project with the generated traffic of a shop, or leads to the one that there is. */
export function DemoCard(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const action = createAction()
  const existing = () =>
    workspace()
      .account.organisations.find(({ org }) => org.id === workspace().org.id)
      ?.projects.find(({ isDemo }) => isDemo)
  const load = async (): Promise<void> => {
    const { org, timeZone, reload } = workspace()
    const { project } = await projectsClient.create({
      orgId: org.id,
      displayName: t('firstRun.demoName'),
      reportingTimezone: timeZone,
      isDemo: true,
    })
    await reload()
    navigate(`/p/${project?.id ?? ''}`)
  }
  return (
    <Show when={existing() !== undefined || may(ProjectsService.method.create)}>
      <section class="ui-card first-run-demo">
        <h2>
          <FlaskConical size={15} />
          {t('firstRun.demoTitle')}
        </h2>
        <p>{t('firstRun.demoText')}</p>
        <Show
          when={existing()}
          fallback={
            <Button
              tone="primary"
              class="first-run-wide"
              isLoading={action.isRunning()}
              onClick={() => action.run(load)}
            >
              {t('firstRun.demoLoad')}
            </Button>
          }
        >
          {(project) => (
            <ButtonLink class="first-run-wide" href={`/p/${project().id}`}>
              {t('firstRun.demoOpen')}
            </ButtonLink>
          )}
        </Show>
        <Show when={action.failure()}>
          {(failure) => <ErrorState error={failure()} title={t('firstRun.demoFailed')} />}
        </Show>
      </section>
    </Show>
  )
}
