import type { ServiceName } from './gen/service-names.js'

/** Services whose methods the edge serves itself: they stay available while the store or the query process is down. */
export const INGESTION_SERVICES = [
  'sdk.events.v1.EventsService',
  'sdk.profiles.v1.ProfilesSDKService',
] as const satisfies readonly ServiceName[]
