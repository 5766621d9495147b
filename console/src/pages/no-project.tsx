import { type JSX, onMount } from 'solid-js'
import type { Account } from '../context/workspace.ts'
import { useProject } from '../rpc/session.ts'
import { OrganisationList } from './organisation-list.tsx'

/** The page of an account without projects. */
export function NoProjectPage(props: {
  readonly account: Account
  readonly reload: () => Promise<void>
}): JSX.Element {
  onMount(() => useProject(''))
  return (
    <>
      <header class="page-head">
        <div>
          <h1>No project yet</h1>
          <p class="quiet">Events belong to a project, and projects to an organisation.</p>
        </div>
      </header>
      <OrganisationList account={props.account} reload={props.reload} />
    </>
  )
}
