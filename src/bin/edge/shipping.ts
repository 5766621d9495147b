import type { Journal } from '../../pipeline/journal/journal.ts'
import { Shipper, type ShipperOptions } from '../../pipeline/ship/shipper.ts'
import type { StoreLink } from '../environment/store-link.ts'

/** Delivery of a journal, started or not. */
export interface Shipping {
  /** See `Shipper.drain`. */
  drain(timeoutMs: number): Promise<number>
}

/** Delivers the journal as soon as the store is ready. */
export function shipWhenPrepared(
  store: StoreLink,
  options: Omit<ShipperOptions, 'clickhouse'> & { readonly journal: Journal },
): Shipping {
  const { journal, log } = options
  const stopping = new AbortController()
  let shipper: Shipper | undefined
  const start = (): void => {
    if (stopping.signal.aborted) return
    shipper = new Shipper({ ...options, clickhouse: store.clickhouse })
    shipper.start()
  }
  void store.untilPrepared(log, stopping.signal).then(start, () => undefined)
  return {
    drain: async (timeoutMs) => {
      stopping.abort()
      return shipper ? await shipper.drain(timeoutMs) : journal.rowCount
    },
  }
}
