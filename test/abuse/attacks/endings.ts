import type { RawConnection } from '../../protocols/raw-connection.ts'
import { type Asked, ask } from '../client.ts'
import { innerWordsOf } from '../refusal.ts'
import { type Endings, note } from '../statement.ts'

/** Endings that are errors of the protocol, or an end of the connection. */
export const USUAL = /^(closed|open|reset|[1-4]\d\d|501|503|505|200)$/

/** Sends one request, and records how it ended. */
export async function askAndNote(endings: Endings, url: string, asked: Asked): Promise<void> {
  try {
    const { status, body } = await ask(url, { timeoutMs: 15_000, ...asked })
    note(
      endings,
      status !== 200 && innerWordsOf(body.toString('latin1')) !== undefined
        ? `words: ${body.toString().slice(0, 80)}`
        : String(status),
    )
  } catch (error) {
    note(endings, error instanceof Error && error.message.includes('no answer') ? 'no answer' : 'closed')
  }
}

/** Notes what a raw connection got: the status of its first answer, its end, or that it is still open. */
export function noteRaw(endings: Endings, connection: RawConnection): void {
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(connection.received.subarray(0, 20).toString('latin1')) ?? []
  if (status !== undefined) note(endings, status)
  else if (connection.received.length > 0)
    note(endings, `not HTTP: ${connection.received.subarray(0, 40).toString('latin1')}`)
  else note(endings, connection.isEnded ? 'closed' : 'open')
}
