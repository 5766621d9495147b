import type { TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'

const ROWS = 'SELECT toString(event_id), kind FROM events FINAL FORMAT TSV'

/** How often a read of the table gives each event of a kind, by its id, once all of `eventIds` are there. */
export async function readCopies(
  service: TestService,
  ofKind: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { url, database, username = '', password = '' } = service.clickhouse()
  return await waitFor(`${eventIds.length} events of ${ofKind}`, async () => {
    const response = await fetch(`${url}/?database=${database}`, {
      method: 'POST',
      headers: { 'x-clickhouse-user': username, 'x-clickhouse-key': password },
      body: ROWS,
    })
    const copies = new Map<string, number>()
    for (const line of (await response.text()).split('\n')) {
      const [id = '', kind] = line.split('\t')
      if (kind === ofKind) copies.set(id, (copies.get(id) ?? 0) + 1)
    }
    return eventIds.every((id) => copies.has(id)) ? copies : undefined
  })
}
