import { create, type DescMessage } from '@bufbuild/protobuf'
import { MessageRules } from '../../../rpc/message-rules.ts'

const rules = new MessageRules()

/** JSON names of the required fields: those for which an empty message violates a rule. */
export function requiredFields(type: DescMessage): readonly string[] {
  const broken = new Set(rules.check(type, create(type)).map(({ field }) => field))
  return type.fields.map(({ jsonName }) => jsonName).filter((name) => broken.has(name))
}
