import { CustomersService } from '@contract/dashboard/customers/v1/customers_service_pb.js'
import { createSignal, type JSX } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { OrganisationList } from './organisation-list.tsx'
import { Sessions } from './settings-sessions.tsx'

const customersClient = clientOf(CustomersService)

/** The email, password, sessions and organisations of the account. */
export function AccountSettings(): JSX.Element {
  const workspace = useWorkspace()
  return (
    <>
      <section class="card">
        <h2>Account</h2>
        <dl class="facts">
          <dt>Email</dt>
          <dd>
            {workspace().account.email}{' '}
            <span class="quiet">
              {workspace().account.isEmailVerified ? 'verified' : 'not verified (sign in by email link once)'}
            </span>
          </dd>
        </dl>
        <PasswordForm />
      </section>
      <Sessions />
      <OrganisationList account={workspace().account} reload={workspace().reload} />
    </>
  )
}

function PasswordForm(): JSX.Element {
  const [current, setCurrent] = createSignal('')
  const [password, setPassword] = createSignal('')
  const save = async (): Promise<void> => {
    await customersClient.setPassword({ password: password(), currentPassword: current() })
    setCurrent('')
    setPassword('')
  }
  return (
    <Form
      submit="Set password"
      done="Password set. All your other sessions are signed out."
      look="row"
      tone="plain"
      onSubmit={save}
    >
      {(problem) => (
        <>
          <TextField
            label="Current password, unless you signed in within 10 minutes"
            type="password"
            autocomplete="current-password"
            value={current()}
            problem={problem('currentPassword')}
            onInput={setCurrent}
          />
          <TextField
            label="New password, 8 to 128 characters"
            type="password"
            autocomplete="new-password"
            required
            value={password()}
            problem={problem('password')}
            onInput={setPassword}
          />
        </>
      )}
    </Form>
  )
}
