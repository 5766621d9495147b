import { timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type Session,
  SessionsService,
  SignInMethod,
} from '@contract/millrace/account/v1/sessions_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createResource, type JSX, Show } from 'solid-js'
import { navigate } from '../../context/router.ts'
import { useAccount } from '../../context/workspace.ts'
import { formatMinute } from '../../format/values.ts'
import { type NameKey, t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { readSignInWays } from '../../rpc/provider-sign-in.ts'
import { signOut } from '../../rpc/session.ts'
import { createAction } from '../../ui/action.ts'
import { readyOf } from '../../ui/async.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Loaded } from './loaded.tsx'

const sessionsClient = clientOf(SessionsService)

const METHODS = {
  [SignInMethod.UNSPECIFIED]: 'settings.withUnknown',
  [SignInMethod.PASSWORD]: 'settings.withPassword',
  [SignInMethod.LINK]: 'settings.withLink',
  [SignInMethod.GOOGLE]: 'settings.google',
  [SignInMethod.OIDC]: 'settings.withProvider',
} as const satisfies Record<SignInMethod, NameKey>

/** The sessions of the account, most recently used first. */
export function useSessions() {
  return useQuery(() => ({
    queryKey: ['sessions'],
    queryFn: async () => (await sessionsClient.list({})).sessions,
  }))
}

/** The sessions of the account, each with a button that ends it. */
export function Sessions(): JSX.Element {
  const place = useAccount()
  const action = createAction()
  const sessions = useSessions()
  const [ways] = createResource(readSignInWays)
  const labels = (): ReadonlyMap<string, string> =>
    new Map(readyOf(ways)?.providers.map(({ id, label }) => [id, label]))
  const end = async (session: Session): Promise<void> => {
    if (session.isCurrent) {
      // The current session ends with its cookie.
      await signOut()
      navigate('/sign-in', 'replace')
      return
    }
    await sessionsClient.end({ id: session.id })
    await sessions.refetch()
  }
  const endOthers = async (): Promise<void> => {
    await sessionsClient.endOthers({})
    await sessions.refetch()
  }
  const hasOthers = (): boolean => sessions.isSuccess && sessions.data.length > 1
  return (
    <Card
      title={t('settings.sessions')}
      padding="none"
      actions={
        <Show when={hasOthers()}>
          <Button size="small" isLoading={action.isRunning()} onClick={() => action.run(endOthers)}>
            {t('settings.endOthers')}
          </Button>
        </Show>
      }
    >
      <Show when={action.failure()}>
        {(failure) => (
          <div class="settings-pad">
            <ErrorState title={t('ui.failed')} error={failure()} />
          </div>
        )}
      </Show>
      <Loaded query={sessions}>
        {(list) => (
          <Table
            label={t('settings.sessions')}
            rows={list()}
            columns={sessionColumns(place().timeZone, {
              labels,
              isBusy: action.isRunning,
              onEnd: (session) => action.run(async () => await end(session)),
            })}
          />
        )}
      </Loaded>
    </Card>
  )
}

function sessionColumns(
  timeZone: string,
  act: {
    readonly labels: () => ReadonlyMap<string, string>
    readonly isBusy: () => boolean
    readonly onEnd: (session: Session) => void
  },
): readonly Column<Session, string>[] {
  const timeOf = (time: Session['createTime']): string =>
    time ? formatMinute(timestampMs(time), timeZone) : ''
  return [
    {
      key: 'begun',
      title: t('settings.signedIn'),
      cell: ({ createTime, isCurrent }) => (
        <span class="settings-completion">
          {timeOf(createTime)}
          <Show when={isCurrent}>
            <Badge tone="accent">{t('settings.thisSession')}</Badge>
          </Show>
        </span>
      ),
    },
    {
      key: 'method',
      title: t('settings.signedInWith'),
      cell: ({ signInMethod, providerId }) => act.labels().get(providerId) ?? t(METHODS[signInMethod]),
    },
    { key: 'used', title: t('settings.lastUsed'), cell: ({ lastUsedTime }) => timeOf(lastUsedTime) },
    {
      key: 'end',
      title: '',
      cell: (session) => (
        <span class="settings-actions">
          <Button
            size="small"
            isDisabled={act.isBusy()}
            aria-label={t('settings.endSession', { time: timeOf(session.createTime) })}
            onClick={() => act.onEnd(session)}
          >
            {t('shell.signOut')}
          </Button>
        </span>
      ),
    },
  ]
}
