import type { RedisLink } from './redis-link.ts'

/** Whether a Redis server writes its memory to disk. */
export type Persistence =
  | { readonly status: 'off' }
  /** Snapshots, the append-only file, or both are enabled: a salt may outlive its day in them. */
  | { readonly status: 'on'; readonly snapshots: boolean; readonly appendOnlyFile: boolean }
  /** The server does not disclose it, like many hosted ones; or it is unreachable. */
  | { readonly status: 'unknown'; readonly cause: Error }

/** Advice for a Redis with persistence: salts on its disk would outlive their day. */
export const PERSISTENCE_ADVICE =
  'Redis may write salts of cookieless visitors to disk; set save "" and appendonly no'

/** Queries the server's persistence settings; never rejects. */
export async function readPersistence(link: RedisLink): Promise<Persistence> {
  try {
    const snapshots = (await readSetting(link, 'save')) !== ''
    const appendOnlyFile = (await readSetting(link, 'appendonly')) === 'yes'
    return snapshots || appendOnlyFile ? { status: 'on', snapshots, appendOnlyFile } : { status: 'off' }
  } catch (error) {
    return { status: 'unknown', cause: error instanceof Error ? error : new Error(String(error)) }
  }
}

async function readSetting(link: RedisLink, name: string): Promise<string> {
  const answer = await link.command(['CONFIG', 'GET', name])
  // A RESP 3 map arrives as an object, a RESP 2 one as a flat list.
  const values = Array.isArray(answer) ? answer : Object.entries(answer ?? {}).flat()
  const value: unknown = values[1]
  if (value === undefined) throw new Error(`the server does not disclose its setting ${name}`)
  return String(value)
}
