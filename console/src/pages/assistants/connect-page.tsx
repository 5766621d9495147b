import { AssistantsService } from '@contract/millrace/account/v1/assistants_service_pb.js'
import { TokenScope } from '@contract/millrace/account/v1/tokens_service_pb.js'
import { createResource, createSignal, type JSX, Match, onMount, Show, Switch } from 'solid-js'
import { currentLocation } from '../../context/router.ts'
import { type Account, loadAccount } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { type Failure, isNotFound } from '../../rpc/failure.ts'
import { signOut } from '../../rpc/session.ts'
import { createAction } from '../../ui/action.ts'
import { Async } from '../../ui/async.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/combobox.tsx'
import { ProofDialog, withProof } from '../second-factor/with-proof.tsx'
import { SignInFailure } from '../sign-in-failure.tsx'
import { dropRequest } from '../waiting-request.ts'
import '../sign-in.css'
import '../sign-in-messages.ts'
import './connect-page.css'
import './messages.ts'

const assistantsClient = clientOf(AssistantsService)

/** Programs on the machine of the browser: at a loopback address, or by a scheme of their own. */
const MACHINE = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$|^[a-z][a-z\d+.-]*:(\/\/|$)/

/** What an assistant asks for. */
interface Asked {
  readonly requestId: string
  readonly name: string
  readonly host: string
  readonly mayWrite: boolean
  readonly account: Account
}

/** The page on which a member consents that an assistant acts for them, or refuses. */
export function ConnectPage(): JSX.Element {
  const requestId = (): string => currentLocation().query.get('request') ?? ''
  const [asked, { refetch }] = createResource(requestId, readRequest)
  onMount(() => {
    document.title = 'Millrace'
    dropRequest()
  })
  return (
    <main class="sign-in">
      <section class="sign-in-card connect-card">
        <img src="/favicon.svg" alt="" width="36" height="36" />
        <Async of={asked} retry={() => void refetch()} title={t('ui.failed')} lines={6}>
          {(found) => <Question asked={found()} />}
        </Async>
      </section>
      <ProofDialog />
    </main>
  )
}

/** `'over'` for a request that cannot be answered any more. */
async function readRequest(requestId: string): Promise<Asked | 'over'> {
  try {
    const [request, account] = await Promise.all([assistantsClient.getRequest({ requestId }), loadAccount()])
    const { displayName: name, redirectHost: host, scope } = request
    return { requestId, name, host, mayWrite: scope === TokenScope.WRITE, account }
  } catch (thrown) {
    if (isNotFound(thrown)) return 'over'
    throw thrown
  }
}

function Question(props: { readonly asked: Asked | 'over' }): JSX.Element {
  const open = (): Asked | undefined => (props.asked === 'over' ? undefined : props.asked)
  const [isAnswered, setAnswered] = createSignal(false)
  return (
    <Show when={open()} fallback={<p role="alert">{t('assistants.over')}</p>} keyed>
      {(asked) => (
        <Show
          when={!isAnswered()}
          // The address of a program leaves this page where it is.
          fallback={<p role="status">{t('assistants.answered', { name: asked.name })}</p>}
        >
          <Consent asked={asked} onAnswer={() => setAnswered(true)} />
        </Show>
      )}
    </Show>
  )
}

function Consent(props: { readonly asked: Asked; readonly onAnswer: () => void }): JSX.Element {
  const projects = () => projectsOf(props.asked.account)
  const only = (): string | undefined => (projects().length === 1 ? projects()[0]?.value : undefined)
  const [projectId, setProjectId] = createSignal(only())
  const [scope, setScope] = createSignal<'read' | 'write'>('read')
  const answer = createAction()
  const leave = createAction()
  const connect = async (): Promise<void> => {
    const { requestId } = props.asked
    const request = {
      requestId,
      projectId: projectId() ?? '',
      scope: scope() === 'write' ? TokenScope.WRITE : TokenScope.READ,
    }
    goOn(await withProof(async () => await assistantsClient.connect(request)))
    props.onAnswer()
  }
  const refuse = async (): Promise<void> => {
    const { requestId } = props.asked
    goOn(await assistantsClient.refuse({ requestId }))
    props.onAnswer()
  }
  return (
    <div class="connect-question">
      <h1>{t('assistants.title', { name: props.asked.name })}</h1>
      <p>{t('assistants.asks', { name: props.asked.name })}</p>
      <dl class="connect-facts">
        <dt>{t('assistants.account')}</dt>
        <dd>{props.asked.account.email}</dd>
        <dt>{t('assistants.goesTo')}</dt>
        <dd>
          {MACHINE.test(props.asked.host)
            ? t('assistants.goesToMachine', { host: props.asked.host })
            : props.asked.host}
        </dd>
      </dl>
      <Show when={projects().length > 0} fallback={<p role="alert">{t('assistants.noProject')}</p>}>
        <Select
          label={t('assistants.project')}
          hint={t('assistants.projectHint')}
          placeholder={t('assistants.choose')}
          options={projects()}
          value={projectId()}
          onChange={setProjectId}
        />
        <ScopeChoice mayWrite={props.asked.mayWrite} value={scope()} onChange={setScope} />
        <p>{t('assistants.rights')}</p>
        <p class="connect-trust">{t('assistants.trust')}</p>
        <Failed failure={answer.failure() ?? leave.failure()} />
        <Button
          tone="primary"
          isDisabled={projectId() === undefined}
          isLoading={answer.isRunning()}
          onClick={() => answer.run(connect)}
        >
          {t('assistants.connect')}
        </Button>
      </Show>
      <Button isDisabled={answer.isRunning()} onClick={() => answer.run(refuse)}>
        {t('assistants.refuse')}
      </Button>
      <Button tone="ghost" isLoading={leave.isRunning()} onClick={() => leave.run(signOut)}>
        {t('assistants.other')}
      </Button>
    </div>
  )
}

function ScopeChoice(props: {
  readonly mayWrite: boolean
  readonly value: 'read' | 'write'
  readonly onChange: (value: 'read' | 'write') => void
}): JSX.Element {
  return (
    <Show when={props.mayWrite} fallback={<p>{t('assistants.readOnly')}</p>}>
      <Select
        label={t('assistants.scope')}
        options={[
          { value: 'read', label: t('settings.tokenRead'), description: t('settings.tokenReadHint') },
          { value: 'write', label: t('settings.tokenWrite'), description: t('settings.tokenWriteHint') },
        ]}
        value={props.value}
        onChange={props.onChange}
      />
    </Show>
  )
}

function Failed(props: { readonly failure: Failure | undefined }): JSX.Element {
  return (
    <Switch>
      <Match when={props.failure?.reason === 'ASSISTANT_REQUEST_NOT_FOUND'}>
        <p role="alert">{t('assistants.over')}</p>
      </Match>
      <Match when={props.failure} keyed>
        {(failure) => <SignInFailure failure={failure} />}
      </Match>
    </Switch>
  )
}

/** The projects of the account, with their organisations where it has several. */
function projectsOf({
  organisations,
}: Account): readonly { readonly value: string; readonly label: string }[] {
  const withProjects = organisations.filter(({ projects }) => projects.length > 0)
  return withProjects.flatMap(({ org, projects }) =>
    projects.map(({ id, displayName }) => ({
      value: id,
      label: withProjects.length > 1 ? `${org.displayName} · ${displayName}` : displayName,
    })),
  )
}

/** Goes back to the assistant, by a page of this service. */
function goOn({ continueUrl }: { readonly continueUrl: string }): void {
  const { pathname, search } = new URL(continueUrl)
  location.assign(`${pathname}${search}`)
}
