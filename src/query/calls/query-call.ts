import { createHash } from 'node:crypto'
import {
  create,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { projectIdOf } from '../../access/caller.ts'
import type { ProjectId } from '../../contract/ids.ts'
import type { ProjectContext } from '../../domain/insights/insight-context.ts'
import type { Clock } from '../../kernel/clock.ts'
import { wantsFreshAnswer } from '../../rpc/answer.ts'
import {
  type AnswerCost,
  type AnswerSource,
  addCosts,
  NO_COST,
  writeServerTiming,
} from '../../rpc/server-timing.ts'
import type { ProjectReader } from '../../store/catalog/project-reader.ts'
import type { QueryGate } from '../sql/query-gate.ts'
import type { RunQuery } from '../sql/run.ts'
import type { QueryRunner } from '../sql/select.ts'
import type { AnswerCache } from './answer-cache.ts'

/** What questions are answered from. */
export interface QueryPorts {
  readonly run: RunQuery
  readonly gate: QueryGate
  readonly projects: ProjectReader
  readonly answers: AnswerCache
  readonly clock: Clock
  /** How long an answer may be given again, in milliseconds. */
  readonly answerTtlMs: number
  /** How long a question may take from its first turn on, in milliseconds. */
  readonly timeoutMs: number
}

/** A question about events, by the shapes of its messages. */
interface QueryShape<I extends DescMessage, O extends DescMessage> {
  readonly input: I
  readonly output: O
  readonly request: MessageShape<I>
  /** Answers; `ask` runs statements when it is their turn. */
  readonly answer: (run: QueryRunner, project: ProjectContext) => Promise<MessageInitShape<O>>
}

/** A call that answers a question about events. */
export interface QueryCall<I extends DescMessage, O extends DescMessage> extends QueryShape<I, O> {
  readonly context: HandlerContext
}

/** Who asks a question, and how. */
export interface QueryCaller {
  readonly projectId: ProjectId
  /** Takes no answer of a moment ago. */
  readonly isFresh: boolean
  /** When nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** A question that comes from inside the service. */
export interface InternalQuery<I extends DescMessage, O extends DescMessage>
  extends QueryShape<I, O>,
    QueryCaller {}

/**
 * Answers a question, or gives the answer of a moment ago again, unless the request says `cache-control: no-cache`.
 * Equal questions of a project that come at once are answered once. The response says what the answer cost.
 */
export async function answerQuery<I extends DescMessage, O extends DescMessage>(
  ports: QueryPorts,
  call: QueryCall<I, O>,
): Promise<MessageShape<O>> {
  const { context, ...query } = call
  const isFresh = wantsFreshAnswer(context.requestHeader)
  const caller = { projectId: projectIdOf(context), isFresh, signal: context.signal }
  const { answer, cost, source } = await findAnswer(ports, { ...query, ...caller })
  context.responseHeader.set('server-timing', writeServerTiming(cost, source))
  return answer
}

/** An answer, what it cost, and where it came from. */
export interface CostedAnswer<T> {
  readonly answer: T
  readonly cost: AnswerCost
  readonly source: AnswerSource
}

/** Answers a question, or gives the answer of a moment ago again. Equal questions that come at once are answered once. */
export async function findAnswer<I extends DescMessage, O extends DescMessage>(
  ports: QueryPorts,
  query: InternalQuery<I, O>,
): Promise<CostedAnswer<MessageShape<O>>> {
  const { input, output, request, projectId, isFresh, signal } = query
  const project = await readProject(ports, projectId)
  const digest = createHash('sha256')
    .update(`${project.projectId} ${project.projectTimeZone} ${input.typeName}\n`)
    .update(toBinary(input, request))
  const found = await ports.answers.answer({
    key: digest.digest('base64'),
    ttlMs: ports.answerTtlMs,
    isFresh,
    signal,
    compute: async (allLeft) => {
      let cost = NO_COST
      const report = (one: AnswerCost): void => {
        cost = addCosts(cost, one)
      }
      const run = runnerOf(ports, project, { signal: allLeft, report })
      const answer = create(output, await query.answer(run, project))
      return { answer, cost }
    },
    sizeOf: ({ answer }) => toBinary(output, answer).length,
  })
  return { ...found.answer, source: found.source }
}

/** The project of a call, and how its statements run: each when it is its turn. */
export async function openCall(
  ports: QueryPorts,
  context: HandlerContext,
): Promise<ProjectContext & { readonly run: QueryRunner }> {
  const project = await readProject(ports, projectIdOf(context))
  return { ...project, run: runnerOf(ports, project, { signal: context.signal }) }
}

async function readProject({ projects }: QueryPorts, projectId: ProjectId): Promise<ProjectContext> {
  const { reportingTimezone } = await projects.read(projectId)
  return { projectId, projectTimeZone: reportingTimezone }
}

/** However many statements a question has, and whether they wait for each other or for others, it ends in time. */
function runnerOf(
  { gate, run, timeoutMs }: QueryPorts,
  { projectId }: ProjectContext,
  { signal, report }: { readonly signal: AbortSignal; readonly report?: (cost: AnswerCost) => void },
): QueryRunner {
  let deadline: AbortSignal | undefined
  const bounds = (): AbortSignal => (deadline ? AbortSignal.any([signal, deadline]) : signal)
  return async (query) =>
    await gate.pass(projectId, bounds(), async () => {
      deadline ??= AbortSignal.timeout(timeoutMs)
      return await run(query, bounds(), report)
    })
}
