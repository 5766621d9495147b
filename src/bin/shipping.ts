import type { Journal } from '../pipeline/journal/journal.ts'
import { Shipper, type ShipperOptions } from '../pipeline/ship/shipper.ts'
import type { StoreLink } from './store-link.ts'

/** Delivery of a journal, whether it has begun or not. */
export interface Shipping {
  /** See `Shipper.drain`. */
  drain(timeoutMs: number): Promise<number>
}

/** Delivers what is in the journal, from the moment at which the store can take it. */
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
