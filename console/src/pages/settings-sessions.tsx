import { timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type Session,
  SessionsService,
  SignInMethod,
} from '@contract/millrace/account/v1/sessions_service_pb.js'
import { createResource, For, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { formatMinute } from '../format/values.ts'
import { clientOf } from '../rpc/client.ts'
import { signOut } from '../rpc/session.ts'
import { createAction } from '../ui/action.ts'
import { Async, ErrorBox } from '../ui/async.tsx'

const sessionsClient = clientOf(SessionsService)

const METHODS = {
  [SignInMethod.UNSPECIFIED]: 'unknown',
  [SignInMethod.PASSWORD]: 'password',
  [SignInMethod.LINK]: 'email link',
  [SignInMethod.GOOGLE]: 'Google',
} as const satisfies Record<SignInMethod, string>

/** The sessions of the account, each with a button to end it. */
export function Sessions(): JSX.Element {
  const action = createAction()
  const [sessions, { refetch }] = createResource(async () => (await sessionsClient.list({})).sessions)
  const end = async (session: Session): Promise<void> => {
    // The current session ends with its cookie and shows the sign-in page.
    if (session.isCurrent) return await signOut()
    await sessionsClient.end({ id: session.id })
    await refetch()
  }
  const endOthers = async (): Promise<void> => {
    await sessionsClient.endOthers({})
    await refetch()
  }
  return (
    <section class="card">
      <h2>Sessions</h2>
      <Async of={sessions} retry={() => void refetch()}>
        {(list) => (
          <>
            <SessionTable
              sessions={list()}
              isBusy={action.isRunning()}
              onEnd={(session) => action.run(async () => await end(session))}
            />
            <Show when={list().length > 1}>
              <button
                type="button"
                class="button"
                disabled={action.isRunning()}
                onClick={() => action.run(endOthers)}
              >
                Sign out all other sessions
              </button>
            </Show>
          </>
        )}
      </Async>
      <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
    </section>
  )
}

function SessionTable(props: {
  readonly sessions: readonly Session[]
  readonly isBusy: boolean
  readonly onEnd: (session: Session) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const timeOf = (time: Session['createTime']): string =>
    time ? formatMinute(timestampMs(time), workspace().timeZone) : ''
  return (
    <section class="table-scroll" tabindex="0" aria-label="Sessions">
      <table>
        <thead>
          <tr>
            <th scope="col">Signed in</th>
            <th scope="col">With</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.sessions}>
            {(session) => (
              <tr>
                <td>
                  {timeOf(session.createTime)}{' '}
                  <Show when={session.isCurrent}>
                    <span class="quiet">this session</span>
                  </Show>
                </td>
                <td>{METHODS[session.signInMethod]}</td>
                <td>{timeOf(session.lastUsedTime)}</td>
                <td class="last-cell">
                  <button
                    type="button"
                    class="button danger"
                    aria-label={
                      session.isCurrent
                        ? 'Sign out this session'
                        : `Sign out the session of ${timeOf(session.createTime)}`
                    }
                    disabled={props.isBusy}
                    onClick={() => props.onEnd(session)}
                  >
                    Sign out
                  </button>
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  )
}
