import { timestampMs } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import {
  type GetResponse,
  OrgEmailProviderKind,
  OrgEmailProvidersService,
} from '@contract/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createSignal, type JSX, Show } from 'solid-js'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { formatMinute } from '../../format/values.ts'
import { type NameKey, t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { Failure } from '../../rpc/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/input.tsx'
import { MailProviderForm } from '../mail-provider-form.tsx'
import { Facts } from './facts.tsx'
import { FormLine } from './form-card.tsx'
import { Loaded } from './loaded.tsx'

const emailProvidersClient = clientOf(OrgEmailProvidersService)

const { set, remove, sendTest } = OrgEmailProvidersService.method

const KINDS = {
  [OrgEmailProviderKind.UNSPECIFIED]: 'settings.emailProvider',
  [OrgEmailProviderKind.SMTP]: 'settings.emailSmtp',
  [OrgEmailProviderKind.RESEND]: 'settings.resend',
} as const satisfies Record<OrgEmailProviderKind, NameKey>

/** The service returns at most the end of a secret, and nothing of a short one. */
function describeSecret(redacted: string): string {
  const end = redacted.replace(/^\*+/, '')
  if (end !== '') return t('settings.emailSecretEnds', { end })
  return redacted === '' ? '' : t('settings.emailSecretKept')
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

/** The mail provider of the organisation: a test, its removal and the form that sets another one. */
export function EmailSettings(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const found = useQuery(() => {
    const orgId = workspace().org.id
    return { queryKey: ['email-provider', orgId], queryFn: async () => await findProvider(orgId) }
  })
  const reread = async (): Promise<void> => void (await found.refetch())
  return (
    <Loaded query={found}>
      {(answer) => (
        <>
          <Card title={t('settings.emailOf', { organisation: workspace().org.displayName })}>
            <Show when={answer().provider} fallback={<p class="settings-text">{t('settings.emailNone')}</p>}>
              {(provider) => <Provider provider={provider()} onRemoved={reread} />}
            </Show>
          </Card>
          <Show when={may(set)}>
            <MailProviderForm orgId={workspace().org.id} provider={answer().provider} onSaved={reread} />
          </Show>
        </>
      )}
    </Loaded>
  )
}

function Provider(props: {
  readonly provider: GetResponse
  readonly onRemoved: () => Promise<void>
}): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const [isAsking, setAsking] = createSignal(false)
  const removeIt = async (): Promise<void> => {
    const { onRemoved } = props
    await emailProvidersClient.remove({ orgId: workspace().org.id })
    await onRemoved()
  }
  const facts = (): readonly (readonly [string, string])[] => {
    const { kind, fromAddress, replyTo, redactedSecret, updateTime } = props.provider
    return [
      [t('settings.emailProvider'), t(KINDS[kind])],
      [t('settings.emailFrom'), fromAddress],
      [t('settings.emailReplyTo'), replyTo],
      [t('settings.emailSecret'), describeSecret(redactedSecret)],
      [
        t('settings.emailChanged'),
        updateTime ? formatMinute(timestampMs(updateTime), workspace().timeZone) : '',
      ],
    ]
  }
  return (
    <div class="settings-fields">
      <Facts facts={facts()} />
      <Show when={may(sendTest)}>
        <SendTest />
      </Show>
      <Show when={may(remove)}>
        <Button tone="danger" class="settings-start" onClick={() => setAsking(true)}>
          {t('settings.emailRemove')}
        </Button>
      </Show>
      <ConfirmDialog
        title={t('settings.emailRemoveAsk')}
        text={t('settings.emailRemoveText', { organisation: workspace().org.displayName })}
        verb={t('settings.emailRemove')}
        isOpen={isAsking()}
        onClose={() => setAsking(false)}
        onConfirm={removeIt}
      />
    </div>
  )
}

/** Sends a test mail and shows the response of the provider. */
function SendTest(): JSX.Element {
  const workspace = useWorkspace()
  const [recipient, setRecipient] = createSignal(workspace().account.email)
  const [isTaken, setTaken] = createSignal(false)
  const send = async (): Promise<void> => {
    setTaken(false)
    const request = { orgId: workspace().org.id, recipient: recipient() }
    const { success, errorMessage } = await emailProvidersClient.sendTest(request)
    setTaken(success)
    if (success) return
    const message = `${t('settings.emailTestRejected')}: ${errorMessage}`
    throw new Failure({ code: 'failed_precondition', message })
  }
  return (
    <>
      <FormLine submit={t('settings.emailTestSend')} tone="plain" done="" onSubmit={send}>
        {(problem) => (
          <Input
            label={t('settings.emailTest')}
            type="email"
            required
            value={recipient()}
            problem={problem('recipient')}
            onInput={setRecipient}
          />
        )}
      </FormLine>
      <p class="settings-text" role="status">
        {isTaken() ? t('settings.emailTestTaken') : ''}
      </p>
    </>
  )
}
