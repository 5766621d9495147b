import type { QueryRunner } from '../../src/query/sql/select.ts'
import { render, type Statement } from '../../src/query/sql/sql.ts'

/** A query runner that records statements, and returns scripted rows instead of running them. */
export interface ScriptedRunner {
  readonly run: QueryRunner
  readonly statements: readonly Statement[]
}

/** Creates a runner whose nth statement returns the nth result; further statements return no rows. */
export function createScriptedRunner(...results: readonly (readonly unknown[])[]): ScriptedRunner {
  const statements: Statement[] = []
  const run: QueryRunner = async <R>({ statement }: Parameters<QueryRunner>[0]) => {
    const rows = results[statements.length] ?? []
    statements.push(render(statement))
    return await Promise.resolve([...rows] as R[])
  }
  return { run, statements }
}
