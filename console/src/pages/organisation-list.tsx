import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { mayCallOfOrganisation, nameOfRole } from '../context/access.ts'
import { navigate } from '../context/router.ts'
import type { Account, Organisation } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { useProject } from '../rpc/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { CreateOrganisation, CreateProject } from './create-project.tsx'
import { ROLE_NAMES } from './settings/role-note.tsx'
import './settings/settings.css'

const orgsClient = clientOf(OrgsService)

/** The organisations of the account: open, leave or create one. */
export function OrganisationList(props: {
  readonly account: Account
  readonly reload: () => Promise<void>
}): JSX.Element {
  const [leaving, setLeaving] = createSignal<Organisation>()
  const leave = async ({ org }: Organisation): Promise<void> => {
    const { reload } = props
    await orgsClient.leave({ orgId: org.id })
    // The current project may belong to it.
    useProject('')
    await reload()
    navigate('/', 'replace')
  }
  return (
    <>
      <Show when={props.account.organisations.length > 0}>
        <Card title={t('settings.organisations')} padding="none">
          <ul class="settings-rows">
            <For each={props.account.organisations}>
              {(organisation) => (
                <OneOrganisation
                  organisation={organisation}
                  reload={props.reload}
                  onLeave={() => setLeaving(organisation)}
                />
              )}
            </For>
          </ul>
        </Card>
      </Show>
      <Card title={t('settings.newOrganisation')}>
        <CreateOrganisation reload={props.reload} />
      </Card>
      <Show when={leaving()} keyed>
        {(organisation) => (
          <ConfirmDialog
            title={t('settings.leaveAsk', { name: organisation.org.displayName })}
            text={t('settings.leaveText')}
            verb={t('settings.leaveVerb')}
            isOpen={true}
            onClose={() => setLeaving(undefined)}
            onConfirm={async () => await leave(organisation)}
          />
        )}
      </Show>
    </>
  )
}

function OneOrganisation(props: {
  readonly organisation: Organisation
  readonly reload: () => Promise<void>
  readonly onLeave: () => void
}): JSX.Element {
  const org = () => props.organisation.org
  const first = () => props.organisation.projects[0]
  return (
    <li>
      <div class="settings-row">
        <span class="settings-row-name">
          <Show when={first()} fallback={org().displayName}>
            {(project) => <a href={`/p/${project().id}/overview`}>{org().displayName}</a>}
          </Show>
          <span class="settings-quiet">
            {t('settings.projectCount', { count: props.organisation.projects.length })}
          </span>
        </span>
        <Badge>{t(ROLE_NAMES[nameOfRole(org().role)])}</Badge>
        <Show when={mayCallOfOrganisation(org(), OrgsService.method.leave)}>
          <Button
            size="small"
            aria-label={t('settings.leaveNamed', { name: org().displayName })}
            onClick={() => props.onLeave()}
          >
            {t('settings.leave')}
          </Button>
        </Show>
      </div>
      <Show when={!first() && mayCallOfOrganisation(org(), ProjectsService.method.create)}>
        <div class="settings-pad">
          <CreateProject orgId={org().id} reload={props.reload} />
        </div>
      </Show>
    </li>
  )
}
