/** A provider returns to this path, which its id follows. */
const CALLBACK_PATH = /^\/oauth\/callback\/([a-z][a-z0-9_-]*)$/

/**
 * The provider of the path that providers return to; `undefined` for other paths. In a module of its own, because the first
 * load needs nothing else of a sign-in with a provider.
 */
export function parseCallbackPath(path: string): string | undefined {
  return CALLBACK_PATH.exec(path)?.[1]
}
