import { timestampMs } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import {
  type GetResponse,
  OrgEmailProviderKind,
  OrgEmailProvidersService,
  type SendTestResponse,
} from '@contract/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { formatMoment } from '../format/values.ts'
import { clientOf } from '../rpc/client.ts'
import { Async } from '../ui/async.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { MailProviderForm } from './mail-provider-form.tsx'

const emailProvidersClient = clientOf(OrgEmailProvidersService)

const { set, remove, sendTest } = OrgEmailProvidersService.method

const KINDS = {
  [OrgEmailProviderKind.UNSPECIFIED]: 'none',
  [OrgEmailProviderKind.SMTP]: 'a mail server (SMTP)',
  [OrgEmailProviderKind.RESEND]: 'Resend',
} as const satisfies Record<OrgEmailProviderKind, string>

/** The service returns at most the end of a secret, and nothing of a short one. */
function describeSecret(redacted: string): string {
  const end = redacted.replace(/^\*+/, '')
  if (end !== '') return `ends in ${end}`
  return redacted === '' ? 'none' : 'kept'
}

/** The mail provider of the organisation, if it has one. */
interface Found {
  readonly provider: GetResponse | undefined
}

async function findProvider(orgId: string): Promise<Found> {
  try {
    return { provider: await emailProvidersClient.get({ orgId }) }
  } catch (thrown) {
    if (ConnectError.from(thrown).code !== Code.NotFound) throw thrown
    return { provider: undefined }
  }
}

/** The mail provider of the organisation. */
export function MailSettings(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const [found, { refetch }] = createResource(() => workspace().org.id, findProvider)
  return (
    <Async of={found} retry={() => void refetch()}>
      {(answer) => (
        <>
          <section class="card">
            <h2>Mail of {workspace().org.displayName}</h2>
            <Show when={answer().provider} fallback={<NoProvider />}>
              {(provider) => <Provider provider={provider()} onRemoved={async () => await refetch()} />}
            </Show>
          </section>
          <Show when={may(set)}>
            <section class="card">
              <h2>{answer().provider ? 'Another way' : 'Set a way'}</h2>
              <MailProviderForm
                orgId={workspace().org.id}
                provider={answer().provider}
                onSaved={async () => await refetch()}
              />
            </section>
          </Show>
        </>
      )}
    </Async>
  )
}

function NoProvider(): JSX.Element {
  return (
    <p class="quiet">
      No way of its own: invitations and sign-in links go out through the mail server of the service, or into
      its log where it has none.
    </p>
  )
}

function Provider(props: {
  readonly provider: GetResponse
  readonly onRemoved: () => Promise<unknown>
}): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const [isAsking, setAsking] = createSignal(false)
  const removeIt = async (): Promise<void> => {
    await emailProvidersClient.remove({ orgId: workspace().org.id })
    await props.onRemoved()
  }
  const facts = (): readonly (readonly [string, string])[] => {
    const { kind, fromAddress, replyTo, redactedSecret, updateTime } = props.provider
    return [
      ['Provider', KINDS[kind]],
      ['From', fromAddress],
      ['Answers to', replyTo],
      ['Secret', describeSecret(redactedSecret)],
      ['Changed', updateTime ? formatMoment(timestampMs(updateTime), workspace().timeZone) : ''],
    ]
  }
  return (
    <>
      <dl class="facts">
        <For each={facts().filter(([, value]) => value !== '')}>
          {([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          )}
        </For>
      </dl>
      <Show when={may(sendTest)}>
        <SendTest />
      </Show>
      <Show when={may(remove)}>
        <button type="button" class="button danger" onClick={() => setAsking(true)}>
          Remove it
        </button>
      </Show>
      <Show when={isAsking()}>
        <ConfirmDialog
          title="Remove this way?"
          submit="Remove provider"
          onConfirm={removeIt}
          onClose={() => setAsking(false)}
        >
          <p>
            Its secret is forgotten. Mails of {workspace().org.displayName} then go out as those of the
            service.
          </p>
        </ConfirmDialog>
      </Show>
    </>
  )
}

/** Sends a test mail and shows the response of the provider. */
function SendTest(): JSX.Element {
  const workspace = useWorkspace()
  const [recipient, setRecipient] = createSignal(workspace().account.email)
  const [outcome, setOutcome] = createSignal<SendTestResponse>()
  const send = async (): Promise<void> => {
    setOutcome(undefined)
    setOutcome(await emailProvidersClient.sendTest({ orgId: workspace().org.id, recipient: recipient() }))
  }
  return (
    <>
      <Form submit="Send a test" look="row" tone="plain" onSubmit={send}>
        {(problem) => (
          <TextField
            label="Send a test to"
            type="email"
            required
            value={recipient()}
            problem={problem('recipient')}
            onInput={setRecipient}
          />
        )}
      </Form>
      <Show when={outcome()}>
        {(answer) => (
          <Show
            when={answer().success}
            fallback={
              <div class="error-box" role="alert">
                <p>The provider rejected the mail.</p>
                <p class="quiet small">{answer().errorMessage}</p>
              </div>
            }
          >
            <p role="status">The provider took the mail. Check the inbox.</p>
          </Show>
        )}
      </Show>
    </>
  )
}
