import { resolve } from 'node:path'
import type { Answer } from '../../rpc/answer.ts'
import { type AssetRequest, answerAsset } from './asset-answer.ts'
import { loadAssets } from './assets.ts'

/** Where the build puts the console, seen from the sources and from their compiled form alike. */
const BUILT_FOLDER = resolve(import.meta.dirname, '../../../console/dist')

/** Answers requests for pages and files of the console; `undefined` for others. */
export type ServeConsole = (request: AssetRequest) => Answer | undefined

/** Reads the built console once. */
export function createConsole(): ServeConsole {
  const assets = loadAssets(BUILT_FOLDER)
  return (request) => answerAsset(request, assets)
}
