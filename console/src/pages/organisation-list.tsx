import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { mayCall, nameOfRole } from '../context/access.ts'
import { navigate } from '../context/router.ts'
import type { Account, Organisation } from '../context/workspace.ts'
import { formatNumber } from '../format/values.ts'
import { clientOf } from '../rpc/client.ts'
import { useProject } from '../rpc/session.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { CreateOrganisation, CreateProject } from './create-project.tsx'

const orgsClient = clientOf(OrgsService)

/** The organisations of the account: open, leave or create one. */
export function OrganisationList(props: {
  readonly account: Account
  readonly reload: () => Promise<void>
}): JSX.Element {
  const [leaving, setLeaving] = createSignal<Organisation>()
  return (
    <section class="card">
      <h2>Your organisations</h2>
      <ul class="plain-list">
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
      <CreateOrganisation reload={props.reload} />
      <Show when={leaving()}>
        {(organisation) => (
          <LeaveOrganisation
            organisation={organisation()}
            reload={props.reload}
            onClose={() => setLeaving(undefined)}
          />
        )}
      </Show>
    </section>
  )
}

function OneOrganisation(props: {
  readonly organisation: Organisation
  readonly reload: () => Promise<void>
  readonly onLeave: () => void
}): JSX.Element {
  const org = () => props.organisation.org
  const first = () => props.organisation.projects[0]
  const count = (): string => {
    const { length } = props.organisation.projects
    return length === 1 ? '1 project' : `${formatNumber(length)} projects`
  }
  return (
    <li>
      <div class="row spread">
        <span>
          <Show when={first()} fallback={org().displayName}>
            {(project) => <a href={`/p/${project().id}/overview`}>{org().displayName}</a>}
          </Show>{' '}
          <span class="quiet">
            as {nameOfRole(org().role)} · {count()}
          </span>
        </span>
        <Show when={mayCall(org(), OrgsService.method.leave)}>
          <button
            type="button"
            class="button"
            aria-label={`Leave ${org().displayName}`}
            onClick={() => props.onLeave()}
          >
            Leave
          </button>
        </Show>
      </div>
      <Show when={!first() && mayCall(org(), ProjectsService.method.create)}>
        <CreateProject orgId={org().id} reload={props.reload} />
      </Show>
    </li>
  )
}

function LeaveOrganisation(props: {
  readonly organisation: Organisation
  readonly reload: () => Promise<void>
  readonly onClose: () => void
}): JSX.Element {
  const leave = async (): Promise<void> => {
    const { reload } = props
    await orgsClient.leave({ orgId: props.organisation.org.id })
    // The current project may belong to it.
    useProject('')
    await reload()
    navigate('/', 'replace')
  }
  return (
    <ConfirmDialog
      title="Leave this organisation?"
      submit="Leave organisation"
      onConfirm={leave}
      onClose={props.onClose}
    >
      <p>
        You lose access to <strong>{props.organisation.org.displayName}</strong> until you are invited again.
      </p>
    </ConfirmDialog>
  )
}
