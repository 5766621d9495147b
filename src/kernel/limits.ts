/** Fixed bounds, each with the reason for its size; what operators may tune is in settings.ts. */
export const LIMITS = {
  /** spec.md "Limits": events in one BatchCreate. */
  batchEventsMax: 1000,
  /** spec.md "Limits": code points of a string property. */
  stringCodePointsMax: 1024,
  /** Keys of auto and custom properties together, so that one event stays a row and not a document. */
  propertyKeysMax: 256,
  /** Code points of a property key. */
  propertyKeyCodePointsMax: 200,
  /** Ids travel into sort keys and dictionaries: a longer one is a bug of the sender. */
  distinctIdCodePointsMax: 1024,
  /** Traits in one Identify: a profile is a person, not a table. */
  traitsMax: 256,
  /** Bytes of JSON text of all traits in one Identify. */
  traitBytesMax: 256 * 1024,
  /** Kinds are a low-cardinality column. */
  kindCodePointsMax: 200,
  /** Request line and headers of a forwarded call: the query process takes 16 KiB with what the edge adds. */
  forwardedHeadBytesMax: 15 * 1024,
  /** Up to here a head that is too long is refused in words; behind it the HTTP/1.1 listener closes the connection. */
  readHeadBytesMax: 128 * 1024,
  /** Bodies that are being read or wait for an answer, all connections together. */
  inFlightBodyBytesMax: 128 * 1024 * 1024,
  /** Bodies in the worker pool, as they came, also of clients that have gone. */
  pooledBytesMax: 128 * 1024 * 1024,
  /** Requests in one hand-over to a worker: a task's fixed cost is negligible from about 64 on. */
  taskRequestsMax: 64,
  /** Bytes in one hand-over, so that one task does not hold a worker for long. */
  taskBytesMax: 1024 * 1024,
  /** Tasks in flight per worker: while one is out, the requests for the next one gather. */
  tasksPerWorkerMax: 1,
  /** INSERTs under way at once: the second is prepared while the engine works on the first. */
  insertsInFlightMax: 2,
  /** Page size when a request names none. */
  activityPageSizeDefault: 100,
  /** How long one invocation waits for its own parts to become ready. */
  startTimeoutMs: 60_000,
  /** How long a role may take to stop before it is killed. */
  stopTimeoutMs: 20_000,
} as const
