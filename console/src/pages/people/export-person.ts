import { PersonExportService } from '@contract/millrace/people/v1/person_export_service_pb.js'
import { onCleanup } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { Failure } from '../../rpc/failure.ts'
import { saveFile } from '../../ui/save-file.ts'
import { showToast } from '../../ui/toast.tsx'

const client = clientOf(PersonExportService)

/** Returns a function that saves everything that is stored about a person as a file; it ends with the component. */
export function createPersonExport(): (id: string) => void {
  const stop = new AbortController()
  onCleanup(() => stop.abort())
  let isRunning = false
  const run = async (id: string): Promise<void> => {
    isRunning = true
    try {
      const parts: string[] = []
      for await (const part of readParts(id, stop.signal)) parts.push(part)
      saveFile(new Blob(parts, { type: 'application/x-ndjson' }), fileNameOf(id))
      showToast({ text: t('people.personExported'), tone: 'good' })
    } catch (thrown) {
      if (stop.signal.aborted) return
      showToast({ text: `${t('people.exportFailed')}: ${Failure.from(thrown).message}`, tone: 'bad' })
    } finally {
      isRunning = false
    }
  }
  return (id) => {
    if (!isRunning) void run(id)
  }
}

async function* readParts(id: string, signal: AbortSignal): AsyncGenerator<string> {
  let pageToken = ''
  do {
    const part = await client.export({ id, pageToken }, { signal })
    yield part.jsonLines
    pageToken = part.nextPageToken
  } while (pageToken !== '')
}

/** An id is any text. */
function fileNameOf(id: string): string {
  return `person-${id.replace(/[^\w.@-]+/gu, '_').slice(0, 100)}.jsonl`
}
