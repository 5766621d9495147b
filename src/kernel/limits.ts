/** Fixed limits with the reason for each; limits that operators may tune are settings (settings.ts). */
export const LIMITS = {
  /** Events in one BatchCreate (docs/concepts.md). */
  batchEventsMax: 1000,
  /** Code points of a string property (docs/concepts.md). */
  stringCodePointsMax: 1024,
  /** Combined keys of auto and custom properties: an event is a row, not a document. */
  propertyKeysMax: 256,
  /** Code points of a property key. */
  propertyKeyCodePointsMax: 200,
  /** Ids are part of sort keys and dictionaries: a longer one is a client bug. */
  distinctIdCodePointsMax: 1024,
  /** Traits in one Identify: a profile describes a user, it is not a table. */
  traitsMax: 256,
  /** Bytes of JSON text of all traits in one Identify. */
  traitBytesMax: 256 * 1024,
  /** Kinds are a low-cardinality column. */
  kindCodePointsMax: 200,
  /** Request line and headers of a forwarded call: the query process accepts 16 KiB, including what the edge adds. */
  forwardedHeadBytesMax: 15 * 1024,
  /**
   * Up to this size, oversized headers get an error response; beyond it the HTTP/1.1 listener closes the connection.
   */
  readHeadBytesMax: 128 * 1024,
  /** Request bodies being read or awaiting a response, across all connections. */
  inFlightBodyBytesMax: 128 * 1024 * 1024,
  /** Raw request bodies in the worker pool, including those of clients that disconnected. */
  pooledBytesMax: 128 * 1024 * 1024,
  /** Requests per worker task: above about 64 the fixed cost of a task is negligible. */
  taskRequestsMax: 64,
  /** Bytes per worker task, so that one task does not occupy a worker for long. */
  taskBytesMax: 1024 * 1024,
  /** Tasks in flight per worker: while one is running, requests for the next one accumulate. */
  tasksPerWorkerMax: 1,
  /** Concurrent INSERTs: the second is prepared while the engine processes the first. */
  insertsInFlightMax: 2,
  /** Default page size. */
  activityPageSizeDefault: 100,
  /** Time that an invocation waits for its own roles to become ready. */
  startTimeoutMs: 60_000,
  /** Grace period before a stopping role is killed. */
  stopTimeoutMs: 20_000,
} as const
