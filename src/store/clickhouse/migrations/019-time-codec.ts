import type { Layout } from './layout.ts'

/**
 * Stores the time of events in as many bits as the days of a block need (docs/adr/0024): every question reads it, and differences of
 * differences take twice as long to read. Earlier parts keep their codec until they are merged.
 */
export const storeTimesInBits = ({ on, local }: Layout): readonly string[] => [
  `ALTER TABLE ${local('events')}${on} MODIFY COLUMN time DateTime64(3, 'UTC') CODEC(T64)`,
]
