import { LOCAL_COLLECTION, READER_USER } from './users.ts'
import { renderConfig, type XmlElements } from './xml.ts'

/** The inputs of the server's configuration. */
export type ServerConfigInput = {
  readonly usersConfigPath: string
  readonly logFolder: string
  /** The only folder that `BACKUP` writes and `RESTORE` reads. */
  readonly backupsFolder: string
  readonly readerPassword: string
  readonly memoryBytes: number
  readonly cores: number
  /** Additional configuration elements. */
  readonly extra?: XmlElements
}

/** The engine's share of the memory of the machine, beyond which it refuses statements. */
export const ENGINE_MEMORY_SHARE = 0.6

const MIB = 1024 * 1024
const LOG_TTL_DAYS = 7

/** The server's configuration. It contains the reader's password in the clear: the file must be private. */
export function renderServerConfig(input: ServerConfigInput): string {
  return renderConfig({
    logger: {
      log: `${input.logFolder}/server.log`,
      errorlog: `${input.logFolder}/error.log`,
      size: '10M',
      count: 3,
      // These log the query of each error, parameters included; the caller already receives the error and logs it.
      levels: { logger: ['executeQuery', 'DynamicQueryHandler'].map((name) => ({ name, level: 'none' })) },
    },
    // In the engine's command-line mode this key, and not logger.level, sets the level.
    'log-level': 'warning',
    users_config: input.usersConfigPath,
    listen_host: '127.0.0.1',
    ...handlers(),
    named_collections: { [LOCAL_COLLECTION]: { user: READER_USER, password: input.readerPassword } },
    ...memory(input.memoryBytes),
    ...pools(input.cores),
    ...systemLogs(),
    backups: { allowed_path: input.backupsFolder },
    send_crash_reports: { enabled: false },
    disable_internal_dns_cache: 1,
    keep_alive_timeout: 30,
    ...input.extra,
  })
}

/**
 * The service only needs statements at `/` and `/ping`. Everything else, pages such as `/play` and `/dashboard` and
 * tables as paths, is disabled: without `defaults`, a path without a rule returns 404.
 */
function handlers(): XmlElements {
  return {
    http_allow_path_requests: 0,
    http_handlers: {
      rule: [
        { url: '/', handler: { type: 'dynamic_query_handler', query_param_name: 'query' } },
        {
          url: '/ping',
          methods: 'GET,HEAD',
          handler: { type: 'static', status: 200, content_type: 'text/plain', response_content: 'Ok.\n' },
        },
      ],
    },
  }
}

function memory(totalBytes: number): XmlElements {
  return {
    max_server_memory_usage_to_ram_ratio: ENGINE_MEMORY_SHARE,
    mark_cache_size: share(totalBytes, 0.02, 256 * MIB),
    primary_index_cache_size: share(totalBytes, 0.02, 256 * MIB),
    index_mark_cache_size: share(totalBytes, 0.005, 64 * MIB),
    uncompressed_cache_size: 0,
    index_uncompressed_cache_size: 0,
    mmap_cache_size: 64,
    compiled_expression_cache_size: 16 * MIB,
    compiled_expression_cache_elements_size: 1000,
    // The default of 50 ms causes most of the CPU load of an idle engine.
    memory_worker_period_ms: 1000,
    // It would count the memory of all processes of the container as the engine's own, and refuse statements beyond the share of one.
    memory_worker_use_cgroup: false,
  }
}

function pools(cores: number): XmlElements {
  const background = Math.min(Math.max(cores, 2), 8)
  return {
    max_thread_pool_size: 1000,
    max_thread_pool_free_size: 16,
    max_io_thread_pool_size: 16,
    max_io_thread_pool_free_size: 0,
    background_pool_size: background,
    background_merges_mutations_concurrency_ratio: 2,
    background_move_pool_size: 1,
    background_fetches_pool_size: 1,
    background_common_pool_size: 2,
    background_schedule_pool_size: 4,
    background_buffer_flush_schedule_pool_size: 1,
    background_message_broker_schedule_pool_size: 1,
    background_distributed_schedule_pool_size: 2,
    tables_loader_foreground_pool_size: background,
    tables_loader_background_pool_size: 1,
    merge_tree: {
      ...parts(),
      // Their defaults assume a pool of 16: with a smaller one no mutation would ever run.
      number_of_free_entries_in_pool_to_lower_max_size_of_merge: 2,
      number_of_free_entries_in_pool_to_execute_mutation: 2,
      number_of_free_entries_in_pool_to_execute_optimize_entire_partition: 2,
    },
  }
}

/** docs/measurements/events-table.md has the numbers. */
function parts(): XmlElements {
  return {
    // Every merge rewrites its rows: prefer fewer and wider merges.
    min_parts_to_merge_at_once: 10,
    // Ten parts of about the same size. With the default of 5, nine small parts have a merged one rewritten that has more rows than all of them.
    merge_selector_base: 10,
    // Column by column, the engine's way with more rows than 131,072, costs half as much again for the parts of INSERTs.
    vertical_merge_algorithm_min_rows_to_activate: 500_000,
    // Otherwise such a merge takes 246 MB for the buffers of its columns instead of 79.
    min_columns_to_activate_adaptive_write_buffer: 20,
    // No query of the service uses them, and they make merges slower.
    auto_statistics_types: '',
  }
}

/**
 * The engine keeps only those of its own logs that are named here. The query log is not among them: it contains
 * parameters as literals, so it would retain ids of erased users, and masking rules have no effect in this mode.
 */
function systemLogs(): XmlElements {
  const kept = ['part_log', 'crash_log']
  return Object.fromEntries(kept.map((table) => [table, systemLog(table)]))
}

function systemLog(table: string): XmlElements {
  return {
    database: 'system',
    table,
    partition_by: 'toMonday(event_date)',
    ttl: `event_date + INTERVAL ${LOG_TTL_DAYS} DAY DELETE`,
    flush_interval_milliseconds: 15_000,
    max_size_rows: 100_000,
    reserved_size_rows: 256,
    buffer_size_rows_flush_threshold: 50_000,
  }
}

function share(totalBytes: number, ratio: number, bytesMax: number): number {
  return Math.max(5 * MIB, Math.min(Math.floor(totalBytes * ratio), bytesMax))
}
