import {
  type GetResponse,
  OrgEmailProviderKind,
  OrgEmailProvidersService,
} from '@contract/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { Checkbox, Input } from '../ui/input.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { type FindProblem, FormCard } from './settings/form-card.tsx'

const emailProvidersClient = clientOf(OrgEmailProvidersService)

type Way = 'smtp' | 'resend'

/** The connection to a mail server. Secrets are typed here and never come back. */
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
    <FormCard
      title={t(props.provider ? 'settings.emailReplace' : 'settings.emailSet')}
      submit={t('common.save')}
      onSubmit={save}
    >
      {(problem) => (
        <>
          <SegmentedControl
            label={t('settings.emailProvider')}
            choices={[
              { value: 'smtp', label: t('settings.emailSmtp') },
              { value: 'resend', label: t('settings.resend') },
            ]}
            value={way()}
            onChange={setWay}
          />
          <Input
            label={t('settings.emailFrom')}
            hint={t('settings.emailFromHint')}
            required
            value={fromAddress()}
            problem={problem('fromAddress')}
            onInput={setFromAddress}
          />
          <Input
            label={t('settings.optional', { label: t('settings.emailReplyTo') })}
            type="email"
            value={replyTo()}
            problem={problem('replyTo')}
            onInput={setReplyTo}
          />
          <Show
            when={way() === 'smtp'}
            fallback={
              <Input
                label={t('settings.emailApiKey')}
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
    </FormCard>
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
      <div class="settings-pair">
        <Input
          label={t('settings.emailHost')}
          required
          placeholder="mail.example.com"
          value={props.server.host}
          problem={props.problem('smtp.host')}
          onInput={(host) => change({ host })}
        />
        <Input
          label={t('settings.emailPort')}
          type="number"
          required
          value={props.server.port}
          problem={props.problem('smtp.port')}
          onInput={(port) => change({ port })}
        />
      </div>
      <Input
        label={t('settings.optional', { label: t('settings.emailUser') })}
        value={props.server.username}
        problem={props.problem('smtp.username')}
        onInput={(username) => change({ username })}
      />
      <Input
        label={t('settings.emailPassword')}
        hint={t('settings.emailPasswordHint')}
        type="password"
        autocomplete="new-password"
        value={props.server.password}
        problem={props.problem('smtp.password')}
        onInput={(password) => change({ password })}
      />
      <Checkbox
        label={t('settings.emailTls')}
        isChecked={props.server.useTls}
        onChange={(useTls) => change({ useTls })}
      />
    </>
  )
}
