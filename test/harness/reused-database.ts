import { Client } from 'pg'
import { createDatabase } from './local-postgres.ts'

/** How long a connection of the test before may take to end. */
const ENDING_MS_MAX = 5000

/** What a test may have changed besides rows: tables, columns, defaults, indexes, constraints, triggers and migrations. */
const SHAPE = `SELECT md5(concat(
  (SELECT string_agg(concat_ws(' ', c.relkind, c.relname, a.attname, a.atttypid, a.attnotnull, a.atthasdef), ',' ORDER BY c.relname, a.attnum)
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relnamespace = 'public'::regnamespace),
  (SELECT string_agg(pg_get_constraintdef(oid), ',' ORDER BY conname, oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace),
  (SELECT string_agg(indexdef, ',' ORDER BY indexname) FROM pg_indexes WHERE schemaname = 'public'),
  (SELECT string_agg(concat_ws(' ', tgrelid::regclass, tgname, tgenabled), ',' ORDER BY tgrelid::regclass::text, tgname)
    FROM pg_trigger WHERE NOT tgisinternal),
  (SELECT string_agg(concat_ws(' ', p.oid::regprocedure, p.prosrc), ',' ORDER BY p.oid)
    FROM pg_proc p WHERE pronamespace = 'public'::regnamespace),
  (SELECT string_agg(name, ',' ORDER BY name) FROM kysely_migration)
)) AS shape`

/** Deletes all rows but those of the migrator, in any order, and starts sequences over. */
const EMPTY = `DO $$ DECLARE one record; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%' LOOP
    EXECUTE format('DELETE FROM %I', one.tablename);
  END LOOP;
  FOR one IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL LOOP
    EXECUTE format('ALTER SEQUENCE %I RESTART', one.sequencename);
  END LOOP;
END $$`

/** Connections other than this one; each is ended and waited for. */
const END_OTHERS = `SELECT pg_terminate_backend(pid, ${ENDING_MS_MAX}) AS ended FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`

/**
 * A migrated database that a suite empties between its tests: a copy of the template costs twenty times as much. A test that
 * changes more than rows, or whose connections do not end, leaves the next one a copy.
 */
export class ReusedDatabase {
  #made: { readonly url: string; readonly shape: string; readonly client: Client } | undefined

  /** The URL of a database as the template is; copies of the template are made where `url` leads to. */
  async take(url: string, template: string): Promise<string> {
    const made = this.#made
    if (made !== undefined && (await empty(made).catch(() => false))) return made.url
    await this.close()
    const copy = await createDatabase(url, template)
    const client = new Client({ connectionString: copy })
    // A test may end all connections.
    client.on('error', () => undefined)
    await client.connect()
    this.#made = { url: copy, shape: await readShape(client), client }
    return copy
  }

  /** Closes the connection with which the database is emptied. */
  async close(): Promise<void> {
    await this.#made?.client.end().catch(() => undefined)
    this.#made = undefined
  }
}

/** Whether the database is as the template again. */
async function empty({
  client,
  shape,
}: {
  readonly client: Client
  readonly shape: string
}): Promise<boolean> {
  const { rows } = await client.query<{ readonly ended: boolean }>(END_OTHERS)
  if (!rows.every(({ ended }) => ended) || (await readShape(client)) !== shape) return false
  await client.query(EMPTY)
  return true
}

async function readShape(client: Client): Promise<string> {
  const { rows } = await client.query<{ readonly shape: string }>(SHAPE)
  return rows[0]?.shape ?? ''
}
