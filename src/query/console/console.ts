import { resolve } from 'node:path'
import type { Answer } from '../../rpc/answer.ts'
import { type AssetRequest, answerAsset } from './asset-answer.ts'
import { jsonAsset, loadAssets } from './assets.ts'
import { createDocsSite } from './docs-site.ts'

/** Where the build puts the console, seen from the sources and from their compiled form alike. */
const BUILT_FOLDER = resolve(import.meta.dirname, '../../../console/dist')

/** Answers requests for pages and files of the console and the documentation; `undefined` for others. */
export type ServeConsole = (request: AssetRequest) => Answer | undefined

/** Where pages find the ways to sign in that the service is set up for. */
const SIGN_IN_PATH = '/console/sign-in.json'

/** Reads the built console once. */
export function createConsole({
  googleClientId,
}: {
  readonly googleClientId?: string | undefined
}): ServeConsole {
  const assets = new Map([...loadAssets(BUILT_FOLDER), [SIGN_IN_PATH, jsonAsset({ googleClientId })]])
  const serveDocs = createDocsSite()
  return (request) => serveDocs(request) ?? answerAsset(request, assets)
}
