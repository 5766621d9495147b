import {
  type GetResponse,
  OrgEmailProviderKind,
  OrgEmailProvidersService,
} from '@contract/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { createSignal, type JSX, Show } from 'solid-js'
import { clientOf } from '../rpc/client.ts'
import { CheckField, SelectField, TextField } from '../ui/field.tsx'
import { type FindProblem, Form } from '../ui/form.tsx'

const emailProvidersClient = clientOf(OrgEmailProvidersService)

type Way = 'smtp' | 'resend'

/** What reaches a mail server. Secrets are typed here and never come back. */
interface Server {
  readonly host: string
  readonly port: string
  readonly username: string
  readonly password: string
  readonly useTls: boolean
}

const NEW_SERVER: Server = { host: '', port: '465', username: '', password: '', useTls: true }

/** Sets the provider of an organisation, in the place of the one that it has. */
export function MailProviderForm(props: {
  readonly orgId: string
  readonly provider: GetResponse | undefined
  readonly onSaved: () => Promise<unknown>
}): JSX.Element {
  const isResend = props.provider?.kind === OrgEmailProviderKind.RESEND
  const [way, setWay] = createSignal<Way>(isResend ? 'resend' : 'smtp')
  const [fromAddress, setFromAddress] = createSignal(props.provider?.fromAddress ?? '')
  const [replyTo, setReplyTo] = createSignal(props.provider?.replyTo ?? '')
  const [server, setServer] = createSignal(NEW_SERVER)
  const [apiKey, setApiKey] = createSignal('')
  const save = async (): Promise<void> => {
    const config =
      way() === 'smtp'
        ? { case: 'smtp' as const, value: { ...server(), port: Number(server().port) } }
        : { case: 'resend' as const, value: { apiKey: apiKey() } }
    const { orgId, onSaved } = props
    await emailProvidersClient.set({ orgId, fromAddress: fromAddress(), replyTo: replyTo(), config })
    setServer({ ...server(), password: '' })
    setApiKey('')
    await onSaved()
  }
  return (
    <Form submit="Save" done="Saved" onSubmit={save}>
      {(problem) => (
        <>
          <SelectField
            label="Through"
            value={way()}
            choices={[
              { value: 'smtp', label: 'A mail server (SMTP)' },
              { value: 'resend', label: 'Resend' },
            ]}
            onChange={setWay}
          />
          <TextField
            label="From: an address, or Name <address>"
            required
            value={fromAddress()}
            problem={problem('fromAddress')}
            onInput={setFromAddress}
          />
          <TextField
            label="Answers to (optional)"
            type="email"
            value={replyTo()}
            problem={problem('replyTo')}
            onInput={setReplyTo}
          />
          <Show
            when={way() === 'smtp'}
            fallback={
              <TextField
                label="API key of Resend"
                type="password"
                required
                value={apiKey()}
                problem={problem('resend.apiKey')}
                onInput={setApiKey}
              />
            }
          >
            <ServerFields server={server()} problem={problem} onChange={setServer} />
          </Show>
        </>
      )}
    </Form>
  )
}

function ServerFields(props: {
  readonly server: Server
  readonly problem: FindProblem
  readonly onChange: (server: Server) => void
}): JSX.Element {
  const change = (part: Partial<Server>): void => props.onChange({ ...props.server, ...part })
  return (
    <>
      <div class="two">
        <TextField
          label="Host"
          required
          value={props.server.host}
          problem={props.problem('smtp.host')}
          onInput={(host) => change({ host })}
        />
        <TextField
          label="Port"
          type="number"
          required
          value={props.server.port}
          problem={props.problem('smtp.port')}
          onInput={(port) => change({ port })}
        />
      </div>
      <TextField
        label="User name (optional)"
        autocomplete="off"
        value={props.server.username}
        problem={props.problem('smtp.username')}
        onInput={(username) => change({ username })}
      />
      <TextField
        label="Password: empty keeps the stored one"
        type="password"
        autocomplete="new-password"
        value={props.server.password}
        problem={props.problem('smtp.password')}
        onInput={(password) => change({ password })}
      />
      <CheckField
        label="Only with TLS and a valid certificate"
        isChecked={props.server.useTls}
        onChange={(useTls) => change({ useTls })}
      />
    </>
  )
}
