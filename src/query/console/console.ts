import { join } from 'node:path'
import { INSTALLATION } from '../../kernel/installation.ts'
import type { Answer } from '../../rpc/answer.ts'
import { type AssetRequest, answerAsset } from './asset-answer.ts'
import { jsonAsset, loadAssets } from './assets.ts'
import { createDocsSite } from './docs-site.ts'
import { createEmbedPages, type IsEmbeddable } from './embed-page.ts'

/** The build's output. */
const BUILT_FOLDER = join(INSTALLATION, 'console/dist')

/** Answers requests for pages and files of the console and the documentation; `undefined` for others. */
export type ServeConsole = (request: AssetRequest) => Answer | Promise<Answer> | undefined

/** The file that lists the configured sign-in methods. */
const SIGN_IN_PATH = '/console/sign-in.json'

/** A provider on the sign-in page. */
export interface SignInProvider {
  readonly id: string
  /** The text of its button. */
  readonly label: string
}

/** Serves the files that the folder of the console has now; one that a later build removes is not found. */
export function createConsole({
  googleClientId,
  providers = [],
  isEmbeddable,
  folder = BUILT_FOLDER,
}: {
  readonly googleClientId?: string | undefined
  readonly providers?: readonly SignInProvider[]
  readonly isEmbeddable: IsEmbeddable
  readonly folder?: string
}): ServeConsole {
  const methods = jsonAsset({ googleClientId, providers })
  const assets = new Map([...loadAssets(folder), [SIGN_IN_PATH, methods]])
  const serveDocs = createDocsSite()
  const serveEmbed = createEmbedPages(assets, isEmbeddable)
  return (request) => {
    try {
      return serveDocs(request) ?? serveEmbed(request) ?? answerAsset(request, assets)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
  }
}
