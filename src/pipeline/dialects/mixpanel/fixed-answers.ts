import { type Answer, jsonAnswer } from '../../../rpc/answer.ts'
import type { ForeignHead } from '../foreign/dialect.ts'

/** Answers of what has no equivalent here, by path: each is the empty one of its form. */
const EMPTY: Readonly<Record<string, object>> = {
  '/settings': { sdk_config: {} },
  '/flags': { flags: {} },
  '/flags/definitions': { flags: [] },
  '/decide': { notifications: [], surveys: [], config: {} },
  '/record': { code: 200, status: 'OK' },
}

/** The answer to a request for settings or flags, and to a recording, which is not kept; `undefined` for every other path. */
export function answerFixed({ path, method }: ForeignHead): Answer | undefined {
  if (method !== 'GET' && method !== 'POST') return undefined
  const answer = Object.hasOwn(EMPTY, path) ? EMPTY[path] : undefined
  if (answer) return jsonAnswer(200, answer)
  return path.endsWith('.js') ? absentScript() : undefined
}

/** A plain text, so that a person who opens the address reads what to do. */
function absentScript(): Answer {
  return {
    status: 404,
    headers: [['content-type', 'text/plain; charset=utf-8']],
    body: 'Millrace does not serve the scripts of Mixpanel. Bundle the package mixpanel-browser with your site, or load it from a CDN.\n',
  }
}
