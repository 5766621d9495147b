import { create, type DescMessage } from '@bufbuild/protobuf'
import { MessageRules } from '../../../rpc/message-rules.ts'

const rules = new MessageRules()

/** The JSON names of the fields that cannot be left out: those that an empty message breaks a rule with. */
export function requiredFields(type: DescMessage): readonly string[] {
  const broken = new Set(rules.check(type, create(type)).map(({ field }) => field))
  return type.fields.map(({ jsonName }) => jsonName).filter((name) => broken.has(name))
}
