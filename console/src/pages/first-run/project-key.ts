import { ApiKeyKind } from '@contract/dashboard/projects/v1/project_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { type Accessor, createSignal, onMount } from 'solid-js'
import { clientOf } from '../../rpc/client.ts'
import { Failure } from '../../rpc/failure.ts'

const projectsClient = clientOf(ProjectsService)

/** The name under which the page creates its key, by which it finds that there is one. */
const KEY_NAME = 'First steps'

/** The key in the samples of a project. */
export interface ProjectKey {
  /** The public key; empty while there is none. */
  readonly text: Accessor<string>
  /** `lost` when the page created a key before, in another tab: only its digest is stored. */
  readonly state: Accessor<'loading' | 'ready' | 'lost' | 'forbidden'>
  readonly failure: Accessor<Failure | undefined>
  /** Creates another key. */
  create(): Promise<void>
}

function storageKeyOf(projectId: string): string {
  return `millrace.public-key.${projectId}`
}

/** The text of the key stays in this tab, so that a reload keeps it. A public key can only send: it is part of every page. */
function readKept(projectId: string): string {
  try {
    return sessionStorage.getItem(storageKeyOf(projectId)) ?? ''
  } catch {
    return ''
  }
}

function keep(projectId: string, text: string): void {
  try {
    sessionStorage.setItem(storageKeyOf(projectId), text)
  } catch {
    // A browser that blocks storage: the key lasts until the page is left.
  }
}

/** Finds or creates the public key that the samples contain. `mayCreate` is false for roles that manage no keys. */
export function createProjectKey(projectId: string, mayCreate: boolean): ProjectKey {
  const kept = readKept(projectId)
  const [text, setText] = createSignal(kept)
  const [state, setState] = createSignal<'loading' | 'ready' | 'lost' | 'forbidden'>(
    kept === '' ? (mayCreate ? 'loading' : 'forbidden') : 'ready',
  )
  const [failure, setFailure] = createSignal<Failure>()
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      setFailure(undefined)
      await work()
    } catch (thrown) {
      setFailure(Failure.from(thrown))
    }
  }
  const create = async (): Promise<void> => {
    const { key } = await projectsClient.createApiKey({ kind: ApiKeyKind.PUBLIC, displayName: KEY_NAME })
    keep(projectId, key)
    setText(key)
    setState('ready')
  }
  const findOrCreate = async (): Promise<void> => {
    const { apiKeys } = await projectsClient.listApiKeys({})
    if (apiKeys.some(({ displayName }) => displayName === KEY_NAME)) setState('lost')
    else await create()
  }
  onMount(() => {
    if (state() === 'loading') void attempt(findOrCreate)
  })
  return { text, state, failure, create: async () => await attempt(create) }
}
