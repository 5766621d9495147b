import { createHash } from 'node:crypto'
import {
  create,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import type { Clock } from '../kernel/clock.ts'
import type { ProjectReader } from '../store/catalog/project-reader.ts'
import type { ProfileDeletion } from '../store/clickhouse/profile-deletions.ts'
import type { AnswerCache } from './answer-cache.ts'
import { grantOf } from './call.ts'
import type { FrameContext } from './insights/frame.ts'
import type { Ask } from './insights/insight.ts'
import type { QueryGate } from './sql/query-gate.ts'
import type { RunQuery } from './sql/run.ts'

/** What questions are answered from. */
export interface QueryPorts {
  readonly run: RunQuery
  readonly gate: QueryGate
  readonly projects: ProjectReader
  readonly answers: AnswerCache
  readonly clock: Clock
  /** Hides a profile, durably. */
  readonly hideProfile: (deletion: ProfileDeletion) => Promise<void>
  /** How long an answer may be given again, in milliseconds. */
  readonly answerTtlMs: number
}

/** A call that answers a question about events, by the shapes of its messages. */
export interface QuestionCall<I extends DescMessage, O extends DescMessage> {
  readonly input: I
  readonly output: O
  readonly request: MessageShape<I>
  readonly context: HandlerContext
  /** Answers; `ask` runs statements when it is their turn. */
  readonly answer: (ask: Ask, project: FrameContext) => Promise<MessageInitShape<O>>
}

/**
 * Answers a question, or gives the answer of a moment ago again, unless the request says `cache-control: no-cache`.
 * Equal questions of a project that come at once are answered once.
 */
export async function answerQuestion<I extends DescMessage, O extends DescMessage>(
  ports: QueryPorts,
  call: QuestionCall<I, O>,
): Promise<MessageShape<O>> {
  const { input, output, request, context } = call
  const project = await readProject(ports, context)
  const digest = createHash('sha256')
    .update(`${project.projectId} ${project.projectTimeZone} ${input.typeName}\n`)
    .update(toBinary(input, request))
  return await ports.answers.answer({
    key: digest.digest('base64'),
    ttlMs: ports.answerTtlMs,
    isFresh: /\bno-cache\b/.test(context.requestHeader.get('cache-control') ?? ''),
    signal: context.signal,
    compute: async (signal) => create(output, await call.answer(askOf(ports, project, signal), project)),
    sizeOf: (answer) => toBinary(output, answer).length,
  })
}

/** The project of a call, and how its statements run: each when it is its turn. */
export async function openCall(
  ports: QueryPorts,
  context: HandlerContext,
): Promise<FrameContext & { readonly ask: Ask }> {
  const project = await readProject(ports, context)
  return { ...project, ask: askOf(ports, project, context.signal) }
}

async function readProject({ projects }: QueryPorts, context: HandlerContext): Promise<FrameContext> {
  const { projectId } = grantOf(context)
  const { reportingTimezone } = await projects.read(projectId)
  return { projectId, projectTimeZone: reportingTimezone }
}

function askOf({ gate, run }: QueryPorts, { projectId }: FrameContext, signal: AbortSignal): Ask {
  return async (query) => await gate.pass(projectId, signal, async () => await run(query, signal))
}
