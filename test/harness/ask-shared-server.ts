import { inject } from 'vitest'

/** How to reach a server that the files of a run share; the first request starts it. */
export async function askSharedServer<Access>(path: string): Promise<Access> {
  const response = await fetch(inject('sharedServersUrl') + path)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Access
}
