import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { ApiKeyKind } from '@contract/dashboard/projects/v1/project_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import type { AuditEntry } from '@contract/millrace/audit/v1/audit_log_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createMemo, createSignal, onCleanup } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { clientOf } from '../../rpc/client.ts'
import type { Option } from '../../ui/list-picker.tsx'
import type { AuditView } from './audit-view.ts'

const projectsClient = clientOf(ProjectsService)
const orgsClient = clientOf(OrgsService)

/** Members that the list has before a search. */
const LISTED = 100

/** A pause in typing after which the service searches. */
const TYPING_MS = 250

/** Who may be chosen as an actor. */
export interface Actors {
  readonly options: () => readonly Option[]
  /** Searches the members; absent where the list has all of them. */
  readonly search: () => ((text: string) => void) | undefined
  readonly isLoading: () => boolean
}

/** The members, the private keys of the project, and who else the filter or the list names. */
export function createActors(props: {
  readonly view: AuditView
  readonly entries: readonly AuditEntry[]
}): Actors {
  const workspace = useWorkspace()
  const [typed, setTyped] = createSignal('')
  const first = useMembers(() => '')
  const found = useMembers(typed)
  const keys = useQuery(() => ({
    queryKey: ['api-keys', workspace().project.id],
    queryFn: async () => (await projectsClient.listApiKeys({})).apiKeys,
  }))
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))
  const search = (text: string): void => {
    clearTimeout(timer)
    timer = setTimeout(() => setTyped(text.trim()), TYPING_MS)
  }
  const options = createMemo(() => {
    const named = new Map<string, string>(
      props.entries.map(({ actorId, actorName }) => [actorId, actorName || actorId]),
    )
    for (const { id, kind, displayName, masked } of keys.isSuccess ? keys.data : [])
      if (kind === ApiKeyKind.PRIVATE) named.set(id, [displayName, masked].filter(Boolean).join(', '))
    for (const members of [first, found])
      for (const { customerId, email } of members.isSuccess ? members.data.members : [])
        named.set(customerId, email)
    const { actor } = props.view
    if (actor !== '' && !named.has(actor)) named.set(actor, actor)
    named.delete('')
    return [...named]
      .map(([value, label]) => ({ value, label }))
      .sort((one, other) => one.label.localeCompare(other.label))
  })
  return {
    options,
    search: () => (first.isSuccess && first.data.nextPageToken !== '' ? search : undefined),
    isLoading: () => found.isFetching,
  }
}

/** The first members with a text in name or address. */
function useMembers(search: () => string) {
  const workspace = useWorkspace()
  return useQuery(() => {
    const request = { orgId: workspace().org.id, search: search(), pageSize: LISTED }
    return {
      queryKey: ['members', request.orgId, 'actors', request.search],
      queryFn: async () => await orgsClient.listMembers(request),
    }
  })
}
