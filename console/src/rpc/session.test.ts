import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from './query-client.ts'
import {
  currentProject,
  hasSessionEnded,
  isPageWaiting,
  refreshSession,
  sessionState,
  signIn,
  signOut,
  unsavedWork,
  useProject,
} from './session.ts'

const READ = ['what the user has read']

let hasWork: boolean
/** The account of the cookie; `undefined` without a session. */
let account: string | undefined

const isUnsaved = (): boolean => hasWork

function tokenOf(sub: string): string {
  return ['', btoa(JSON.stringify({ sub })), ''].join('.')
}

async function signInAs(sub: string): Promise<void> {
  account = sub
  await signIn('SignInWithEmail', {})
}

beforeEach(async () => {
  hasWork = true
  unsavedWork.add(isUnsaved)
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/SignOut')) account = undefined
    return new Response(JSON.stringify(account === undefined ? {} : { token: tokenOf(account) }))
  })
  await signInAs('ada')
  useProject('1')
  queryClient.setQueryData(READ, true)
})

afterEach(async () => {
  unsavedWork.delete(isUnsaved)
  await signOut()
  vi.unstubAllGlobals()
})

async function end(): Promise<void> {
  account = undefined
  await refreshSession()
}

function state(): readonly unknown[] {
  return [sessionState(), isPageWaiting(), currentProject(), queryClient.getQueryData(READ) === true]
}

test('a renewed token changes nothing', async () => {
  await refreshSession()
  expect(state()).toEqual(['signed-in', false, '1', true])
})

test('a page with unsaved work waits for its account', async () => {
  await end()
  expect([hasSessionEnded(), ...state()]).toEqual([true, 'signed-out', true, '1', true])
  // A tab that asks whether its user is back does not give up.
  await refreshSession()
  expect(state()).toEqual(['signed-out', true, '1', true])
  await signInAs('ada')
  expect([hasSessionEnded(), ...state()]).toEqual([false, 'signed-in', false, '1', true])
})

test('another account finds nothing of the page', async () => {
  await end()
  await signInAs('bob')
  expect(state()).toEqual(['signed-in', false, '', false])
})

test('a page without unsaved work goes with its session', async () => {
  hasWork = false
  await end()
  expect(state()).toEqual(['signed-out', false, '', false])
})

test('signing out removes the page, even with unsaved changes', async () => {
  await signOut()
  expect(state()).toEqual(['signed-out', false, '', false])
})
