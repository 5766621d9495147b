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

/** The statements that a question sends while none of them returns a row, in order. */
export async function recordStatements(question: {
  answer(run: QueryRunner): Promise<unknown>
}): Promise<readonly Statement[]> {
  const { run, statements } = createScriptedRunner()
  await question.answer(run)
  return statements
}

/** The only statement that a question sends. Throws when there are none or several. */
export async function recordOneStatement(question: {
  answer(run: QueryRunner): Promise<unknown>
}): Promise<Statement> {
  const [only, ...more] = await recordStatements(question)
  if (only === undefined || more.length > 0) throw new Error('the question does not send one statement')
  return only
}
