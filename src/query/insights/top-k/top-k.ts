import type { MessageInitShape } from '@bufbuild/protobuf'
import type { TopKRowSchema } from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import type { ProjectId } from '../../../contract/ids.ts'
import { identifiedPeople, PERSON_COLUMNS, readTraits } from '../../people/person.ts'
import { uint64ArrayCodec } from '../../sql/codec.ts'
import { select } from '../../sql/select.ts'
import { param, sql } from '../../sql/sql.ts'
import { OTHERS } from '../breakdown.ts'
import type { AnswerQuestion, Ask } from '../insight.ts'
import type { ValueRow } from './compile.ts'
import { rank } from './rank.ts'
import type { RankingQuestion } from './spec.ts'

type RowInit = Exclude<MessageInitShape<typeof TopKRowSchema>, { $typeName: string }>

/** The first values of a dimension by a metric, with the others in one row. */
export const answerRanking: AnswerQuestion<RankingQuestion> = async (question, frame, ask) => {
  const { rows, others } = await rank(question, frame, ask)
  const named =
    question.dimension.kind === 'user'
      ? await addProfiles({ projectId: frame.projectId, rows }, ask)
      : rows.map(toRow)
  const last = others === undefined ? [] : [{ dimensionValue: OTHERS, value: others, isOthers: true }]
  return { case: 'topK', value: { rows: [...named, ...last] } }
}

function toRow({ key, value }: ValueRow): RowInit {
  return { dimensionValue: key, value }
}

/** Rows of identified users carry their profile. */
async function addProfiles(
  { projectId, rows }: { readonly projectId: ProjectId; readonly rows: readonly ValueRow[] },
  ask: Ask,
): Promise<RowInit[]> {
  if (rows.length === 0) return []
  const users = rows.map(({ user }) => user)
  const isRanked = sql`user_hash IN ${param(uint64ArrayCodec, users)}`
  const [people, traits] = await Promise.all([
    ask(select(PERSON_COLUMNS, sql`FROM (${identifiedPeople(projectId, isRanked)})`)),
    readTraits({ projectId, users }, ask),
  ])
  const byUser = new Map(people.map((person) => [person.user, person]))
  return rows.map((row) => {
    const person = byUser.get(row.user)
    if (!person) return toRow(row)
    const { id, externalId } = person
    return { ...toRow(row), profile: { id, externalId, properties: traits.get(row.user) ?? {} } }
  })
}
