import { TokenScope, TokensService } from '@contract/millrace/account/v1/tokens_service_pb.js'
import ChevronsUpDown from 'lucide-solid/icons/chevrons-up-down'
import { createSignal, type JSX } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { Button } from '../../ui/button.tsx'
import { MultiCombobox, Select } from '../../ui/combobox.tsx'
import { FieldBox, Input } from '../../ui/input.tsx'
import { withProof } from '../second-factor/with-proof.tsx'
import { FormLine } from './form-card.tsx'
import { type Expiry, ExpiryField, expireTimeOf } from './key-limit-fields.tsx'

const tokensClient = clientOf(TokensService)

const SCOPES = { read: TokenScope.READ, write: TokenScope.WRITE, admin: TokenScope.ADMIN } as const

type Scope = keyof typeof SCOPES

/** Creates a personal access token. */
export function NewToken(props: {
  /** The names of the account's projects by their ids. */
  readonly projects: ReadonlyMap<string, string>
  readonly onCreated: (text: string) => void
}): JSX.Element {
  const [name, setName] = createSignal('')
  const [scope, setScope] = createSignal<Scope>('read')
  const [chosen, setChosen] = createSignal<readonly string[]>([])
  const [expiry, setExpiry] = createSignal<Expiry>('90')
  const create = async (): Promise<void> => {
    const { onCreated } = props
    const request = {
      displayName: name(),
      scope: SCOPES[scope()],
      projectIds: [...chosen()],
      expireTime: expireTimeOf(expiry()),
    }
    const { text } = await withProof(async () => await tokensClient.create(request))
    setName('')
    onCreated(text)
  }
  return (
    <FormLine submit={t('settings.createToken')} done="" onSubmit={create}>
      {(problem) => (
        <>
          <Input
            label={t('settings.keyName')}
            required
            maxLength={255}
            placeholder={t('settings.tokenExample')}
            value={name()}
            problem={problem('displayName')}
            onInput={setName}
          />
          <ScopeField value={scope()} onChange={setScope} />
          <ProjectsField projects={props.projects} values={chosen()} onChange={setChosen} />
          <ExpiryField
            label={t('settings.keyExpires')}
            isRequired
            value={expiry()}
            problem={problem('expireTime')}
            onChange={setExpiry}
          />
        </>
      )}
    </FormLine>
  )
}

function ScopeField(props: {
  readonly value: Scope
  readonly onChange: (value: Scope) => void
}): JSX.Element {
  return (
    <Select
      label={t('settings.tokenScope')}
      options={[
        { value: 'read', label: t('settings.tokenRead'), description: t('settings.tokenReadHint') },
        { value: 'write', label: t('settings.tokenWrite'), description: t('settings.tokenWriteHint') },
        { value: 'admin', label: t('settings.tokenAdmin'), description: t('settings.tokenAdminHint') },
      ]}
      value={props.value}
      onChange={props.onChange}
    />
  )
}

function ProjectsField(props: {
  readonly projects: ReadonlyMap<string, string>
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}): JSX.Element {
  const text = (): string =>
    props.values.length === 0
      ? t('settings.tokenAllProjects')
      : props.values.map((id) => props.projects.get(id) ?? id).join(', ')
  return (
    <FieldBox label={t('settings.tokenProjects')} hint={t('settings.tokenProjectsHint')}>
      {(ids) => (
        <MultiCombobox
          label={t('settings.tokenProjects')}
          options={[...props.projects].map(([value, label]) => ({ value, label }))}
          values={props.values}
          onChange={props.onChange}
          trigger={(attributes) => (
            <Button
              {...attributes}
              id={ids().id}
              class="ui-select"
              aria-describedby={ids().describedBy}
              aria-label={`${t('settings.tokenProjects')}: ${text()}`}
            >
              <span class="ui-ellipsis">{text()}</span>
              <ChevronsUpDown />
            </Button>
          )}
        />
      )}
    </FieldBox>
  )
}
