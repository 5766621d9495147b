import { DIALECTS } from '../../src/pipeline/dialects/dialects.ts'
import { asJsonEvent } from './json-event.ts'
import type { VendorForm } from './vendor-forms.ts'
import { VENDOR_KEY } from './vendor-forms.ts'

/** The events that a dialect reads in the JSON of a request, as they are sent with BatchCreate. */
export function readVendorEvents(
  { dialect, form }: VendorForm,
  json: Buffer,
  key: string = VENDOR_KEY,
): readonly object[] {
  const request = { dialect, form, key, receivedMicros: Date.now() * 1000, listsResults: false }
  const batch = DIALECTS[dialect].readRequest(json, request)
  if (!batch.ok) throw new Error(`the body of ${dialect} ${batch.error}`)
  return batch.value.items.flatMap(({ event }) => (event ? [asJsonEvent(event)] : []))
}
