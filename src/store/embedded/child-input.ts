/** Command-line input of the engine's process, as JSON. No secrets: a command line is public. */
export type EngineProcessInput = {
  readonly libraryPath: string
  readonly configPath: string
  /** Files that the engine reads besides its tables: configuration and library. */
  readonly readablePaths: readonly string[]
  readonly logFolder: string
  /** Folder of the tables. */
  readonly tablesFolder: string
  /** The lock file that proves ownership of the folder. */
  readonly lockPath: string
  readonly httpPort: number
  readonly tcpPort: number | undefined
}

/** Exit code when another engine owns the folder. */
export const EXIT_LOCKED = 75
/** Exit code when the engine cannot be loaded or confined; the reason is on stderr. */
export const EXIT_NO_LIBRARY = 70

/**
 * The environment of the engine's process. Nothing from the service's: it may contain secrets, and the engine needs none of it. The
 * pool of libuv has one thread, so that the confined thread is the one that runs the engine.
 */
export const ENGINE_ENVIRONMENT = { TZ: 'UTC', UV_THREADPOOL_SIZE: '1' }
