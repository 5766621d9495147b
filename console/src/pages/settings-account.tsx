import { createSignal, type JSX } from 'solid-js'
import { useWorkspace } from '../app/workspace.ts'
import { customersClient } from '../rpc/clients/customers.ts'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { OrganisationList } from './organisation-list.tsx'

/** Who is signed in: address, password, organisations. */
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
              {workspace().account.isEmailVerified ? 'verified' : 'not verified: sign in by a link once'}
            </span>
          </dd>
        </dl>
        <PasswordForm />
      </section>
      <OrganisationList account={workspace().account} reload={workspace().reload} />
    </>
  )
}

function PasswordForm(): JSX.Element {
  const [password, setPassword] = createSignal('')
  const save = async (): Promise<void> => {
    await customersClient.setPassword({ password: password() })
    setPassword('')
  }
  return (
    <Form
      submit="Set the password"
      done="Set; every other session of yours is over"
      look="row"
      tone="plain"
      onSubmit={save}
    >
      {(problem) => (
        <TextField
          label="New password, 8 to 128 characters"
          type="password"
          autocomplete="new-password"
          required
          value={password()}
          problem={problem('password')}
          onInput={setPassword}
        />
      )}
    </Form>
  )
}
