import { QueryClientProvider } from '@tanstack/solid-query'
import { createEffect, createMemo, type JSX, Match, onMount, Show, Suspense, Switch } from 'solid-js'
import { parseSharePath } from '../context/route.ts'
import { currentLocation } from '../context/router.ts'
import { t } from '../i18n/translate.ts'
import { parseCallbackPath } from '../rpc/callback-path.ts'
import type { Failure } from '../rpc/failure.ts'
import { queryClient } from '../rpc/query-client.ts'
import { isPageWaiting, refreshSession, sessionState } from '../rpc/session.ts'
import { createAction } from '../ui/action.ts'
import { Skeleton } from '../ui/async.tsx'
import { lazy } from '../ui/lazy.ts'
import { retryLater } from '../ui/retry-later.ts'
import { ErrorState } from '../ui/states.tsx'
import { Shell } from './shell.tsx'

const SignInPage = lazy(async () => ({ default: (await import('../pages/sign-in.tsx')).SignInPage }))
const SignInAgain = lazy(async () => ({ default: (await import('../pages/sign-in-again.tsx')).SignInAgain }))
const ConnectPage = lazy(async () => ({
  default: (await import('../pages/assistants/connect-page.tsx')).ConnectPage,
}))
const SharedDashboardPage = lazy(async () => ({
  default: (await import('../pages/shared-dashboard.tsx')).SharedDashboardPage,
}))

/** The console: public dashboards without sign-in, everything else with it. */
export function App(): JSX.Element {
  const shareId = (): string | undefined => parseSharePath(currentLocation().path)
  return (
    <QueryClientProvider client={queryClient}>
      <Suspense fallback={<Loading />}>
        <Show when={shareId()} fallback={<SignedInApp />} keyed>
          {(id) => <SharedDashboardPage shareId={id} />}
        </Show>
      </Suspense>
    </QueryClientProvider>
  )
}

function SignedInApp(): JSX.Element {
  const start = createAction()
  const begin = (): void => start.run(refreshSession)
  onMount(begin)
  retryLater(start.failure, begin)
  /** Stays while the service is asked again. */
  const failure = createMemo(
    (before: Failure | undefined) => start.failure() ?? (start.isRunning() ? before : undefined),
  )
  /** Also one whose session has ended, and which its user finds again after the sign-in. */
  const hasPage = (): boolean => sessionState() === 'signed-in' || isPageWaiting()
  createEffect(() => {
    if (!hasPage()) document.title = 'Millrace'
  })
  /** The page to sign in stays for a link, and for an invitation after the sign-in. */
  const isSigningIn = (): boolean => {
    const { path, query } = currentLocation()
    const isJoining = sessionState() === 'signed-in' && query.has('join')
    // A refresh that ended later would replace the new session.
    if (parseCallbackPath(path) !== undefined) return sessionState() !== 'unknown'
    return path === '/sign-in' && (query.has('token') || isJoining)
  }
  return (
    <Switch fallback={<Loading />}>
      <Match when={isSigningIn() || (sessionState() === 'signed-out' && !hasPage())}>
        <SignInPage />
      </Match>
      <Match when={hasPage() && currentLocation().path === '/connect'}>
        <ConnectPage />
      </Match>
      <Match when={hasPage()}>
        <Shell />
        <Suspense>
          <Show when={sessionState() === 'signed-out'}>
            <SignInAgain />
          </Show>
        </Suspense>
      </Match>
      <Match when={failure()}>
        {(shown) => (
          <main class="centered">
            <ErrorState
              title={t('shell.startFailed')}
              error={shown()}
              onRetry={begin}
              isRetrying={start.isRunning()}
            />
          </main>
        )}
      </Match>
    </Switch>
  )
}

function Loading(): JSX.Element {
  return (
    <main class="centered">
      <Skeleton lines={3} />
    </main>
  )
}
